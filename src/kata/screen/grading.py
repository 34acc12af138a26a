"""What `kata grade` shows: one problem in full, several as a line each."""

from rich.text import Text

from kata.grading import Task
from kata.model import Finding, Report
from kata.screen.console import console, styled
from kata.screen.live import LiveLine
from kata.screen.report import MARKS, ReportScreen


class One:
    """One submission in full, findings as they come."""

    def __init__(self) -> None:
        self._console = console()
        self._live = LiveLine(self._console)
        self._screen: ReportScreen | None = None

    def begin(self, task: Task) -> None:
        """Prints the heading, and what takes a second."""
        self._screen = ReportScreen(self._console, task.problem, task.job.submission.path)
        self._live.show(styled(("  PyTorch is being started …", "dim")))

    def found(self, finding: Finding) -> None:
        """Prints a check's line."""
        assert self._screen is not None
        self._live.clear()
        self._screen.found(finding)
        self._live.show(styled(("  judging …", "dim")))

    def done(self, report: Report) -> None:
        """Prints the rest."""
        assert self._screen is not None
        self._live.clear()
        self._screen.done(report)


class Many:
    """Several submissions: a line for each as it is done."""

    def __init__(self) -> None:
        self._console = console()
        self._live = LiveLine(self._console)

    def begin(self, task: Task) -> None:
        """Says what is being judged."""
        self._live.show(styled((f"  {task.problem.number} {task.problem.title} …", "dim")))

    def found(self, finding: Finding) -> None:
        """Single checks are not shown."""

    def done(self, report: Report) -> None:
        """Prints the report's line."""
        self._live.clear()
        self._console.print(_line(report), overflow="fold")


def _line(report: Report) -> Text:
    """Mark, problem, points, and in a few words why it is not passed."""
    mark, style = MARKS["passed" if report.passed else "failed"]
    if report.error is not None and report.error.kind == "not_written":
        mark, style = "○", "dim"
    why = report.error.kind.replace("_", " ") if report.error else ", ".join(d.name for d in report.diagnoses)
    name = f"{report.problem.number:>3} {report.problem.title:<40} "
    numbers = f"{report.score:>4g}/{report.max_score:<4g}{report.craft:>3}/{report.max_craft:<4}"
    return styled((f"  {mark} ", style), name, (numbers, "dim"), why.replace("_", " "))
