"""What `kata grade` shows: one problem in full, several as a table."""

from kata.grading import Task
from kata.model import Finding, Report
from kata.screen import tables
from kata.screen.console import console, styled
from kata.screen.report import ReportScreen


class One:
    """One submission in full, findings as they come."""

    def __init__(self) -> None:
        self._screen: ReportScreen | None = None

    def begin(self, task: Task) -> None:
        """Prints the heading."""
        self._screen = ReportScreen(console(), task.problem, task.job.submission.path)

    def found(self, finding: Finding) -> None:
        """Prints a check's line."""
        assert self._screen is not None
        self._screen.found(finding)

    def done(self, report: Report) -> None:
        """Prints the rest."""
        assert self._screen is not None
        self._screen.done(report)


class Many:
    """Several submissions: a line for each as it is done, then nothing more to read than a table."""

    def __init__(self) -> None:
        self._console = console()
        self._expected, self._reports = 0, list[Report]()

    def begin(self, task: Task) -> None:
        """Says what is being judged, where a terminal listens."""
        if self._console.is_terminal:
            self._console.print(styled((f"  {task.problem.number} {task.problem.title} …", "dim")), end="\r")

    def found(self, finding: Finding) -> None:
        """Single checks are not shown."""

    def done(self, report: Report) -> None:
        """Prints the report's row."""
        tables.summary(self._console, [report])
