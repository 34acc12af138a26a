"""A report in a terminal: findings as they come, then what went wrong, the craft, and what to do next."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from kata.model import Finding, Problem, Report
from kata.report import OWN_WORK
from kata.screen.console import styled
from kata.screen.pictures import error_map

MARKS = {
    "passed": ("✔", "green"),
    "failed": ("✘", "red"),
    "crashed": ("✘", "red"),
    "timed_out": ("✘", "red"),
    "died": ("✘", "red"),
    "skipped": ("–", "dim"),
}
LATER = " is judged too, and shown once the answer is right"
VERBS = {"crashed": "raised an error", "timed_out": "took too long", "died": "ended its process"}


class ReportScreen:
    """Shows one submission being judged."""

    def __init__(self, console: Console, problem: Problem, path: str) -> None:
        self._console, self._problem = console, problem
        self._said_craft = self._failed = False
        console.print(styled((f"{problem.number} · {problem.title}", "bold"), ("   " + path, "dim")))
        console.print()

    def found(self, finding: Finding) -> None:
        """One line, as soon as its check is done."""
        if finding.check == OWN_WORK:  # known only after the craft; a failed one is told at the end
            return
        craft = finding.tier == "craft"
        self._failed = self._failed or (not craft and finding.verdict not in ("passed", "skipped"))
        if craft and not self._said_craft:
            self._said_craft = True
            self._console.print(styled(("  craft" + LATER * self._failed, "dim")))
        if not (craft and self._failed):
            self._console.print(line(finding))

    def done(self, report: Report) -> None:
        """Everything that is known only at the end."""
        if report.error is not None:
            self._console.print(error(report, self._problem))
            return
        for part in ending(report):
            self._console.print()
            self._console.print(part)


def line(finding: Finding) -> RenderableType:
    """One check: mark, promise, points."""
    mark, style = MARKS[finding.verdict]
    row = Table.grid(padding=(0, 1), expand=True)
    row.add_column(width=3, justify="right")
    row.add_column(ratio=1)
    row.add_column(justify="right")
    quiet = "dim" if finding.tier == "craft" or finding.verdict == "skipped" else ""
    counts = finding.max_points and not finding.explains  # those that explain count only once values are right
    points = f"{finding.points:g}/{finding.max_points:g}" if counts else ""
    verb = VERBS.get(finding.verdict, "")
    row.add_row(
        Text(mark, style),
        styled((finding.promise, quiet), (f"  ({verb})" if verb else "", style)),
        Text(points, "dim"),
    )
    return row


def ending(report: Report) -> Iterator[RenderableType]:
    """What follows the list of checks."""
    failed = [f for f in report.findings if f.verdict not in ("passed", "skipped")]
    required = [f for f in failed if f.tier == "required"]
    own_work = [f for f in required if f.check == OWN_WORK]
    yield from map(detail, own_work + [f for f in required if f not in own_work][:1])
    yield from diagnoses(report)
    named = {name for diagnosis in report.diagnoses for name in diagnosis.checks}
    rest = [f for f in failed if f.tier == "craft" and f.check not in named]
    if rest and not required:
        yield remarks(rest)
    yield verdict(report)


def remarks(findings: list[Finding]) -> RenderableType:
    """Craft that is not there yet, a quiet line each."""
    rows = Table.grid(padding=(0, 1))
    for finding in findings:
        rows.add_row(Text("  craft ·", "dim"), styled((finding.promise + " ", "dim"), finding.message))
    return rows


def detail(finding: Finding) -> RenderableType:
    """The first failure: the learner's own call, what came back, where it differs."""
    rows = Table.grid(padding=(0, 2))
    rows.add_column(style="dim", no_wrap=True)
    rows.add_column()
    evidence = finding.evidence
    if call := evidence.get("call"):
        rows.add_row("your call", Text(str(call), "bold"))
    rows.add_row("what came", Text(finding.message))
    for sentence in evidence.get("where", []):
        rows.add_row("", Text(str(sentence)))
    if evidence.get("map"):
        rows.add_row("wrong where", error_map(evidence))
    for step in evidence.get("traceback", []):
        rows.add_row(f"line {step['line']}", Text(f"{step['text']}    (in {step['function']})"))
    if finding.output:
        rows.add_row("it printed", Text(_first_lines(finding.output, 8)))
    title = Table.grid(padding=(0, 1))
    title.add_row(Text("  ✘", "red"), Text(finding.promise, "bold"))
    return Group(title, Padding(rows, (0, 0, 0, 4)))


def _first_lines(text: str, most: int) -> str:
    lines = text.rstrip().split("\n")
    return "\n".join(lines[:most]) + (f"\n… {len(lines) - most} more lines" if len(lines) > most else "")


def diagnoses(report: Report) -> Iterator[RenderableType]:
    """The named misconceptions, each in a panel."""
    tiers = {finding.check: finding.tier for finding in report.findings}
    for diagnosis in report.diagnoses:
        required = any(tiers[name] == "required" for name in diagnosis.checks)
        title = "What went wrong" if required else "Craft"
        body = Text(f"{diagnosis.text}")
        name = diagnosis.name.replace("_", " ")
        yield Panel(
            body,
            title=Text(f"{title}: {name}"),
            title_align="left",
            border_style="yellow" if required else "dim",
            width=None,
        )


def verdict(report: Report) -> RenderableType:
    """The last lines: passed or not, in numbers, and what to do next."""
    craft = f" · craft {report.craft}/{report.max_craft}" if report.max_craft else ""
    facts = (
        f" · {report.score:g}/{report.max_score:g} points{craft} · {report.seconds:.1f} s · sandbox: {report.sandbox}"
    )
    if report.passed:
        complete = report.craft == report.max_craft
        next_step = (
            "Right, and well made." if complete else "Right. The craft lines above say what would make it better."
        )
        return Group(styled(("  ✔ passed", "bold green"), facts), styled(("    " + next_step, "")))
    if any(f.verdict == "skipped" for f in report.findings):
        return Group(
            styled(("  – not judged as a whole", "bold"), facts),
            styled(f"    All checks: {_again(report)}"),
        )
    return Group(
        styled(("  ✘ not passed yet", "bold red"), facts),
        styled(f"    Change {report.submission.path} and run it again: {_again(report)}"),
    )


def _again(report: Report) -> str:
    """What judges once more: a command, or, in the learner's own kernel, the function that was called there."""
    number, path = report.problem.number, Path(report.submission.path)
    if report.sandbox == "inline":
        return f"check({number}, …)"
    in_place = path.name.startswith(f"{number:02d}_{report.problem.slug}.") and path.parent.name in ("", "problems")
    return f"kata grade {number}" if in_place else f"kata grade {number} {shlex.quote(str(path))}"


def error(report: Report, problem: Problem) -> RenderableType:
    """A submission that could not be judged at all."""
    assert report.error is not None
    if report.error.kind == "not_written":
        return not_written(report, problem)
    where = f", line {report.error.line}" if report.error.line else ""
    ours = "Nothing was judged, and nothing counts against you. Once more:"
    theirs = f"Nothing was judged. Put it right in {report.submission.path} and run:"
    return Group(
        styled(("  ✘ ", "red"), (f"{TITLES[report.error.kind]}{where}", "bold")),
        Padding(Text(report.error.message), (0, 0, 0, 4)),
        Text(),
        styled(f"    {ours if report.error.kind == 'ours' else theirs} {_again(report)}"),
    )


TITLES = {
    "missing_file": "There is no such file",
    "unreadable": "The file can't be read",
    "too_large": "The file is too large",
    "not_python": "This is not Python",
    "syntax": "Python can't parse the file",
    "import": "The file raised an error when it was run",
    "missing_function": "The function is missing",
    "signature": "The function can't be called as asked",
    "ours": "Our own fault",
}


def not_written(report: Report, problem: Problem) -> RenderableType:
    """The untouched stub: what it is about, and what to type next."""
    opening = problem.statement.split("\n\n")[0]
    path = report.submission.path
    again = _again(report)
    steps = [
        f"{f'kata show {problem.number}':<17}  the whole statement, with an example in numbers",
        f"edit {path}",
        f"{again:<17}  what is right, what is wrong, and why",
    ]
    return Group(
        styled(("  ○ not written yet", "bold")),
        Text(),
        Padding(Text(" ".join(opening.split())), (0, 4, 0, 4)),
        Text(),
        styled((f"    {len(report.findings)} checks are waiting. Next:", "")),
        *(styled((f"      {step}", "cyan")) for step in steps),
    )
