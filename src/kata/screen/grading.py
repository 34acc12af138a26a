"""What `kata grade` shows: one problem in full, several as a line each and a summary."""

from collections.abc import Sequence

from rich.text import Text

from kata.grading import Task
from kata.model import Finding, Report
from kata.screen.console import console, styled
from kata.screen.live import LiveLine, Running
from kata.screen.report import MARKS, ReportScreen
from kata.screen.steps import Steps
from kata.screen.verdict import after
from kata.standing import Standing
from kata.typed import typed

WHY = 26  # columns for why a problem is not passed


class One:
    """One submission in full, findings as they come."""

    def __init__(self) -> None:
        self._console = console()
        self._live = LiveLine(self._console)
        self._screen: ReportScreen | None = None
        self._running: Running | None = None

    def begin(self, task: Task) -> None:
        """Prints the heading, and what takes a second."""
        self._screen = ReportScreen(self._console, task.problem, task.job.submission.path)
        self._running = Running(self._live, task.problem)
        self._running.starting()

    def begun(self) -> None:
        """PyTorch is there."""
        assert self._running is not None
        self._running.judging()

    def found(self, finding: Finding) -> None:
        """Prints a check's line."""
        assert self._screen is not None and self._running is not None
        self._live.clear()
        self._screen.found(finding)
        self._running.found()

    def done(self, report: Report) -> None:
        """Prints the rest."""
        assert self._screen is not None
        self._live.clear()
        self._screen.done(report)

    def after(self, task: Task, report: Report, recorded: bool, following: Standing | None) -> None:
        """Prints what comes next."""
        after(self._console, task.problem, report, recorded, following)

    def close(self, tasks: Sequence[Task], reports: Sequence[Report]) -> None:
        """Leaves no live line."""
        self._live.clear()


class Many:
    """Several submissions: a line for each as it is done, and a summary."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._console = console()
        self._live = LiveLine(self._console)
        self._done, self._all = 0, len(tasks)
        self._width = min(max(len(task.problem.title) for task in tasks), max(20, self._console.width - 25 - WHY))

    def begin(self, task: Task) -> None:
        """Says what is being judged."""
        named = f"  {self._done + 1} of {self._all}: {task.problem.number} {task.problem.title} …"
        self._live.show(lambda seconds: styled((f"{named} {seconds:.0f} s" if seconds >= 1 else named, "dim")))

    def begun(self) -> None:
        """The line says enough."""

    def found(self, finding: Finding) -> None:
        """Single checks are not shown."""

    def done(self, report: Report) -> None:
        """Prints the report's line."""
        self._live.clear()
        self._done += 1
        line = _line(report, self._width)
        line.truncate(self._console.width, overflow="ellipsis")
        self._console.print(line, soft_wrap=True)

    def after(self, task: Task, report: Report, recorded: bool, following: Standing | None) -> None:
        """The summary says enough."""

    def close(self, tasks: Sequence[Task], reports: Sequence[Report]) -> None:
        """Prints the summary, unless the grade was interrupted."""
        self._live.clear()
        if len(reports) < len(tasks):
            return
        passed = sum(report.passed for report in reports)
        unwritten = sum(report.error is not None and report.error.kind == "not_written" for report in reports)
        untouched = f", {unwritten} not written yet" if unwritten else ""
        points = f"{sum(r.score for r in reports):g}/{sum(r.max_score for r in reports):g} points"
        self._console.print()
        self._console.print(styled((f"  {passed} of {len(reports)} passed", "bold"), f"{untouched} · {points}"))
        failed = [
            task.problem
            for task, report in zip(tasks, reports, strict=True)
            if not report.passed and (report.error is None or report.error.kind != "not_written")
        ]
        if failed:
            what = "says what is wrong with the first that is not passed"
            steps = Steps((typed(failed[0], f"grade {failed[0].number}"), what))
        else:
            steps = Steps((typed(tasks[0].problem, "next"), "the problem to take up now"))
        self._console.print(steps, crop=False)


def _line(report: Report, width: int) -> Text:
    """Mark, problem, points, and in a few words why it is not passed."""
    mark, style = MARKS["passed" if report.passed else "failed"]
    if report.error is not None and report.error.kind == "not_written":
        mark, style = "○", "dim"
    why = report.error.kind if report.error else ", ".join(d.name for d in report.diagnoses)
    title = Text(report.problem.title)
    title.truncate(width, overflow="ellipsis", pad=True)
    numbers = f"{report.score:>4g}/{report.max_score:<4g}{report.craft:>3}/{report.max_craft:<4}"
    name = f"{report.problem.number:>3} {title.plain} "
    return styled((f"  {mark} ", style), name, (numbers, "dim"), why.replace("_", " "))
