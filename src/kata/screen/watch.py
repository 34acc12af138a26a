"""A watch in a terminal: each report on a clean screen, the keys at the bottom; without a terminal, plain lines."""

from collections.abc import Iterator

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from kata.answers import Worked
from kata.hints import Step
from kata.model import Finding, Problem, Report
from kata.screen import learning
from kata.screen.console import console, sentence, styled
from kata.screen.live import FREE, LiveLine, Running
from kata.screen.report import ReportScreen
from kata.screen.statement import statement
from kata.screen.verdict import after
from kata.standing import Standing
from kata.watch_keys import present


class WatchScreen:
    """Shows what a watch finds."""

    def __init__(self, others: dict[int, Problem]) -> None:
        self._console: Console = console()
        self._others, self._path = others, ""
        self._report: ReportScreen | None = None
        self._running: Running | None = None
        self._problem: Problem | None = None
        self._live = LiveLine(self._console)
        self._keyed = present()

    def begin(self, problem: Problem, path: str) -> None:
        """A clean screen with the heading."""
        self._live.clear()
        if self._console.is_terminal:
            self._console.clear()
        else:
            self._console.print()
        self._path, self._problem = path, problem
        self._report = ReportScreen(self._console, problem, path, watched=True)
        self._running = Running(self._live, problem)
        self._running.starting()

    def begun(self) -> None:
        """PyTorch is there."""
        assert self._running is not None
        self._running.judging()

    def found(self, finding: Finding) -> None:
        """Prints a check's line."""
        assert self._report is not None and self._running is not None
        self._live.clear()
        self._report.found(finding)
        self._running.found()

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
            if report is not None and passed and self._problem is not None:
                after(self._console, self._problem, report, True, following)
            return
        room = self._console.width - FREE
        lines = list(_footers(passed, following))
        self._live.show(next((line for line in lines if line.cell_len <= room), lines[-1]))

    def note(self, text: str) -> None:
        """A sentence on a line of its own."""
        self._live.clear()
        self._console.print(Padding(sentence(text, self._console, 2), (0, 0, 0, 2)))

    def statement(self, problem: Problem) -> None:
        """The statement."""
        self._live.clear()
        statement(self._console, problem, self._others, self._path)

    def hint(self, problem: Problem, step: Step | None, open_: bool) -> None:
        """A hint."""
        self._live.clear()
        learning.hint(self._console, problem, step, open_)

    def solution(self, problem: Problem, worked: Worked) -> None:
        """A worked answer."""
        self._live.clear()
        learning.solution(self._console, problem, worked)

    def close(self) -> None:
        """Leaves the cursor at the beginning of a free line."""
        self._live.clear()


def _footers(passed: bool, following: Standing | None) -> Iterator[Text]:
    """The line of keys, ever shorter; the last is for any width."""
    own = (("a", "worked answer"),) if passed else (("h", "hint"), ("s", "statement"))
    number = f"next: {following.number}" if following else "next"
    title = f"{number} {following.title}" if following else number
    rest = ("r", "re-run"), ("q", "quit")
    yield _keys("saves are watched ", *own, ("n", title), *rest)
    yield _keys("", *own, ("n", title), *rest)
    yield _keys("", *own, ("n", number), *rest)
    yield _keys("", *((key, "") for key, _ in (*own, ("n", ""), *rest)))


def _keys(before: str, *offers: tuple[str, str]) -> Text:
    parts = [piece for key, what in offers for piece in ((f" {key}", "bold cyan"), f" {what} " if what else "")]
    return styled((f" {before}", "dim"), *parts)
