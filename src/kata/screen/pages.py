"""A report away from a terminal: as text for a REPL, a log or a test, as HTML for a notebook."""

from io import StringIO

from rich.console import Console

from kata.model import Finding, Problem, Report
from kata.screen.console import WIDTH, styled
from kata.screen.report import ReportScreen, detail, diagnoses
from kata.screen.steps import Steps
from kata.screen.verdict import error
from kata.typed import typed

INLINE = "    Judged in your own kernel, where nothing is confined. In the sandbox:"
PRE = (
    '<pre style="font-family: Menlo, Consolas, monospace; line-height: 1.3; white-space: pre; overflow-x: auto">'
    "{code}</pre>"
)


def _console(record: bool = False) -> Console:
    return Console(
        file=StringIO(),
        width=WIDTH,
        record=record,
        force_terminal=record,
        force_jupyter=False,
        color_system="standard" if record else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )


def _shown(console: Console, problem: Problem, report: Report) -> Console:
    screen = ReportScreen(console, problem, report.submission.path)
    if report.error is None:
        for finding in report.findings:
            screen.found(finding)
    screen.done(report)
    if report.sandbox == "inline":
        console.print(styled((INLINE, "dim")))
        console.print(Steps((typed(problem, f"grade {problem.number} FILE"), "")), crop=False)
    return console


def _written(console: Console) -> str:
    assert isinstance(console.file, StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


def text(problem: Problem, report: Report) -> str:
    """The whole report as plain text."""
    return _written(_shown(_console(), problem, report))


def html(problem: Problem, report: Report) -> str:
    """The whole report as HTML that needs no style sheet; all text is escaped."""
    return _shown(_console(record=True), problem, report).export_html(inline_styles=True, code_format=PRE)


def failure(problem: Problem, report: Report, finding: Finding) -> str:
    """One failed check as plain text, with the diagnoses that explain it."""
    console = _console()
    if report.error is not None:
        console.print(error(report, problem))
        return _written(console)
    console.print(detail(finding))
    for diagnosis, panel in zip(report.diagnoses, diagnoses(report), strict=True):
        if finding.check in diagnosis.checks:
            console.print(panel)
    return _written(console)
