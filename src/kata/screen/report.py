"""A report in a terminal: findings as they come, then what went wrong, the craft, and what to do next."""

from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from kata.model import Finding, Problem, Report
from kata.report import OWN_WORK
from kata.screen.console import styled
from kata.screen.pictures import error_map
from kata.screen.verdict import error, verdict

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
PATIENCE = (  # where nobody watches, and where a save is waited for
    "Does a loop never end? The other checks get less and less time; Ctrl-C ends the wait.",
    "Does a loop never end? The other checks get less and less time; your next save ends the wait.",
)
Ending = tuple[str, str, int | None]


class ReportScreen:
    """Shows one submission being judged; in a watch, nothing has to be typed to have it judged again."""

    def __init__(self, console: Console, problem: Problem, path: str, watched: bool = False) -> None:
        self._console, self._problem, self._watched = console, problem, watched
        self._said_craft = self._failed = False
        self._alike: dict[Ending, list[Finding]] = {}  # those that ended in the same way, the first one left out
        heading(console, problem, path)
        console.print()

    def found(self, finding: Finding) -> None:
        """One line, as soon as its check is done; an error that was shown already is only counted."""
        if finding.check == OWN_WORK:  # known only after the craft; a failed one is told at the end
            return
        craft = finding.tier == "craft"
        self._failed = self._failed or (not craft and finding.verdict not in ("passed", "skipped"))
        if craft and not self._said_craft:
            self._said_craft = True
            self._say_alike()
            self._console.print(styled(("  craft" + LATER * self._failed, "dim")))
        if craft and self._failed:
            return
        end = ending_of(finding)
        if end in self._alike:
            self._alike[end].append(finding)
            return
        self._console.print(line(finding))
        if end is not None:
            self._alike[end] = []
            if finding.verdict == "timed_out":
                self._console.print(Padding(Text(f"{finding.message}. {PATIENCE[self._watched]}", "dim"), (0, 0, 0, 4)))

    def _say_alike(self) -> None:
        for findings in self._alike.values():
            if findings:
                self._console.print(alike(findings))
        self._alike = {end: [] for end in self._alike}

    def done(self, report: Report) -> None:
        """Everything that is known only at the end."""
        self._say_alike()
        if report.error is not None:
            self._console.print(error(report, self._problem, self._watched), crop=False)
            return
        for part in (*ending(report), verdict(report, self._problem, self._watched)):
            self._console.print()
            self._console.print(part, crop=False)


def heading(console: Console, problem: Problem, path: str) -> None:
    """The title and the file that is judged, each unbroken."""
    title, shown = styled((f"{problem.number} · {problem.title}", "bold")), styled((path, "dim"))
    if title.cell_len + 3 + shown.cell_len <= console.width:
        console.print(styled((title.plain, "bold"), "   ", (path, "dim")))
    else:
        console.print(title)
        console.print(shown, soft_wrap=True)


def ending_of(finding: Finding) -> Ending | None:
    """What tells two checks apart that did not come to an end: how, by which exception, at which line."""
    if finding.verdict not in VERBS:
        return None
    if finding.verdict == "timed_out":  # within a loop it may be at any line
        return finding.verdict, "", None
    steps = finding.evidence.get("traceback") or [{}]
    return finding.verdict, finding.message.split(":")[0], steps[-1].get("line")


def alike(findings: list[Finding]) -> RenderableType:
    """Checks that ended as an earlier one did: how many, and quietly which."""
    first, several = findings[0], len(findings) > 1
    kind = f" ({first.message.split(':')[0]})" if first.verdict == "crashed" else ""
    told = f"The same in {len(findings)} more check{'s' * several}: {VERBS[first.verdict]}{kind}"
    return Group(
        styled(("  ✘ ", "red"), told),
        Padding(Text(", ".join(f.check for f in findings), "dim"), (0, 4, 0, 4)),
    )


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
    named = {name for diagnosis in report.diagnoses for name in diagnosis.checks}
    yield from map(detail, in_full(required, named))
    yield from diagnoses(report)
    rest = [f for f in failed if f.tier == "craft" and f.check not in named]
    if rest and not required:
        yield remarks(rest)


def in_full(failed: list[Finding], named: set[str]) -> list[Finding]:
    """Which failures are told in full: a shortcut, the first one, and the first error that no diagnosis explains."""
    told = [f for f in failed if f.check == OWN_WORK]
    told += [f for f in failed if f not in told][:1]
    if any(f.verdict in VERBS for f in told):
        return told
    return told + [f for f in failed if f.verdict in VERBS and f.check not in named][:1]


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
