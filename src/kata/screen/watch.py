"""A watch in a terminal: each report on a clean screen, the keys at the bottom; without a terminal, plain lines."""

from rich.console import Console

from kata.answers import Worked
from kata.hints import Step
from kata.model import Finding, Problem, Report
from kata.screen import learning
from kata.screen.console import console, styled
from kata.screen.live import LiveLine
from kata.screen.report import ReportScreen
from kata.screen.statement import statement
from kata.standing import Standing
from kata.watch_keys import present


class WatchScreen:
    """Shows what a watch finds."""

    def __init__(self, others: dict[int, Problem]) -> None:
        self._console: Console = console()
        self._others, self._path = others, ""
        self._report: ReportScreen | None = None
        self._live = LiveLine(self._console)
        self._keyed = present()

    def begin(self, problem: Problem, path: str) -> None:
        """A clean screen with the heading."""
        self._live.clear()
        if self._console.is_terminal:
            self._console.clear()
        else:
            self._console.print()
        self._path = path
        self._report = ReportScreen(self._console, problem, path)
        self._live.show(styled(("  judging …", "dim")))

    def found(self, finding: Finding) -> None:
        """Prints a check's line."""
        assert self._report is not None
        self._live.clear()
        self._report.found(finding)

    def done(self, report: Report) -> None:
        """Prints the rest."""
        assert self._report is not None
        self._live.clear()
        self._report.done(report)

    def keys(self, report: Report | None, following: Standing | None) -> None:
        """The last line: the keys; after a pass, what it opens."""
        self._live.clear()
        passed = report is not None and report.passed
        if not self._keyed:
            if report is not None and passed and following is not None:
                worked = f"kata solution {report.problem.number}"
                self._console.print(f"    {worked} shows a worked answer; next: kata watch {following.number}")
            return
        offers = [("a", "worked answer")] if passed else []
        offers += [("h", "hint"), ("s", "statement")] if not passed else []
        offers += [("n", f"next: {following.number} {following.title}" if following else "next"), ("r", "re-run")]
        parts = [piece for key, what in [*offers, ("q", "quit")] for piece in ((f" {key}", "bold cyan"), f" {what} ")]
        self._live.show(styled((" saves are watched ", "dim"), *parts))

    def note(self, text: str) -> None:
        """A sentence on a line of its own."""
        self._live.clear()
        self._console.print(styled(("  ", ""), text))

    def statement(self, problem: Problem) -> None:
        """The statement."""
        self._live.clear()
        statement(self._console, problem, self._others, self._path)

    def hint(self, problem: Problem, step: Step | None) -> None:
        """A hint."""
        self._live.clear()
        learning.hint(self._console, problem, step)

    def solution(self, problem: Problem, worked: Worked) -> None:
        """A worked answer."""
        self._live.clear()
        learning.solution(self._console, problem, worked)

    def close(self) -> None:
        """Leaves the cursor at the beginning of a free line."""
        self._live.clear()
