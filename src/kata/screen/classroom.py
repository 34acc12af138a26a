"""What the classroom's commands show."""

import time
from collections.abc import Iterable, Iterator, Sequence

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from kata.classroom.grade import Progress
from kata.classroom.lacks import counted
from kata.classroom.model import Collected, Mark, Note, plain, signed
from kata.classroom.out import Written
from kata.classroom.regrade import Moved
from kata.model import Report
from kata.screen.console import console, styled

TITLES = {
    "unmatched": "not matched",
    "ambiguous": "a person must decide",
    "refused": "not read",
    "guessed": "taken, though misnamed",
    "time": "time not known",
    "again": "the same answers at another time",
    "ignored": "left aside",
}
SHOWN = 20


def collected(found: Collected) -> None:
    """How the submissions were laid out, and everything that was not simply taken."""
    out = console()
    out.print(f"Submissions of {counted(len(found.deliveries), 'student')} found (layout: {found.layout}).")
    if not found.deliveries:
        out.print("Nothing new is judged. Put right what is listed here, and run the same command again.")
    for kind, title in TITLES.items():
        notes = [note for note in found.notes if note.kind == kind]
        if notes:
            out.print(styled((f"  {title}: {len(notes)}", "bold")))
            _notes(notes)


def _notes(notes: Sequence[Note]) -> None:
    out = console()
    for note in notes[:SHOWN]:
        line = styled("    ", (note.path, "cyan"), f"  {note.text}")
        if line.cell_len <= out.width:
            out.print(line)
        else:
            out.print(styled("    ", (note.path, "cyan")))
            out.print(Padding(Text(note.text), (0, 0, 0, 8)))
    if len(notes) > SHOWN:
        out.print(f"    … and {len(notes) - SHOWN} more")


def running(progress: Iterable[Progress], idle: str) -> Progress:
    """A live line with rate and time left where a terminal listens; returns the last. `idle` is said without work."""
    out, start, last = console(), time.monotonic(), Progress(0, 0, 0)
    for last in progress:
        if out.is_terminal:
            out.print(_line(last, time.monotonic() - start), end="\r")
    if not last.of:
        out.print(idle, soft_wrap=True)  # it ends with a command
        return last
    seconds = time.monotonic() - start
    rate = f" in {seconds:.1f} s ({last.done / seconds:.1f} a second)" if last.done and seconds else ""
    out.print(f"{last.done} of {last.of} answers judged{rate}." + " " * 30)
    if last.faults:
        told = "run the same command again; kata classroom report says where the traceback is"
        out.print(styled((f"{last.faults} could not be judged, by our own fault: ", "bold red"), told))
    return last


def _line(progress: Progress, seconds: float) -> Text:
    rate = progress.done / seconds if seconds else 0.0
    left = f"{(progress.of - progress.done) / rate:.0f} s left" if rate else ""
    return styled(f"{progress.done}/{progress.of}  {rate:.1f}/s  {left}      ")


def unclaimed(text: str) -> None:
    """Says that answers count for nobody, if there are any."""
    if text:
        console().print(styled((text, "yellow")))


def stale(count: int, again: str) -> None:
    """Says that results stand on another basis; `again` is what a command needs to find this class."""
    if count:
        made = "result stands" if count == 1 else "results stand"
        text = f"{count} {made} on another basis (version, limits or seed): kata classroom regrade --dry-run {again}"
        console().print(styled((text.rstrip(), "yellow")), soft_wrap=True)  # it ends with a command


def moved(marks: Sequence[Moved], dry: bool, again: str) -> None:
    """Every mark that moves, and why."""
    table = Table("student", "assignment", "before", "after", "why", box=None, pad_edge=False)
    for mark in marks:
        before, after = ("–" if value is None else plain(value) for value in (mark.before, mark.after))
        table.add_row(mark.student, mark.assignment, before, after, Text("; ".join(mark.why)))
    if marks:
        console().print(table)
    ending = f"would move; nothing was changed. Next: kata classroom regrade {again}" if dry else "moved."
    console().print(f"{counted(len(marks), 'mark')} {ending}".rstrip(), soft_wrap=True)


def explained(marks: Iterable[Mark], histories: dict[int, list[tuple[str, str, Report]]]) -> None:
    """How each mark of a student came about."""
    out = console()
    for mark in marks:
        points = mark.state if mark.points is None else f"{plain(mark.points)} of {plain(mark.maximum)} points"
        out.print(styled((f"{mark.assignment}: {points}", "bold")))
        out.print(Padding(_steps(mark), (0, 2)))
        for answer in mark.attempt.answers if mark.attempt else ():
            out.print(styled((f"  problem {answer.problem} from {answer.path}", "dim")))
            for line in _history(histories.get(answer.id, [])):
                out.print(styled((f"    {line}", "dim")))


def _steps(mark: Mark) -> Table:
    """Each step with the rule that it follows, what it changes, and the mark after it."""
    table = Table("what", "rule", box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("change", justify="right", no_wrap=True)
    table.add_column("mark so far", justify="right", no_wrap=True)
    for step in mark.steps:
        told = (signed(step.change) if step.change else "", f"{step.points:.2f}")
        table.add_row(Text(step.what), Text(step.rule), *(told if mark.points is not None else ("", "")))
    return table


def _history(results: list[tuple[str, str, Report]]) -> Iterator[str]:
    for when, reason, report in results:
        names = ", ".join(diagnosis.name for diagnosis in report.diagnoses)
        told = f"{report.score:g}/{report.max_score:g}" + (f" ({names})" if names else "")
        yield f"{when} {reason}: {told}, version {report.problem.version}, sandbox {report.sandbox}"


def written(result: Written) -> None:
    """What an export wrote, and what it could not place."""
    out = console()
    shown = str(result.paths[0]) if len(result.paths) == 1 else counted(len(result.paths), "file")
    out.print(f"Wrote {shown}.")
    lists = {"no file for": result.without, "in that folder from before, and not written now": result.older}
    if result.filled is not None:
        out.print(f"  column {result.filled.column}: {counted(result.filled.filled, 'mark')} filled in")
        lists["look at this before you upload it"] = (result.scale,) if result.scale else ()
        lists["rows of nobody who has a mark, left as they are"] = result.filled.unmatched
        lists["with a mark, and not in the file"] = result.filled.left
        lists["not taken by the platform"] = result.filled.refused
    for title, names in lists.items():
        if names:
            out.print(f"  {title}: {'; '.join(names[:SHOWN])}{' …' if len(names) > SHOWN else ''}")
