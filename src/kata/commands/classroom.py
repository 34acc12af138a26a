"""kata classroom"""

from pathlib import Path
from typing import Any

import click

from kata.classroom import crowd, desk
from kata.classroom.desk import Desk
from kata.classroom.lacks import counted
from kata.classroom.layouts import LAYOUTS, Layout
from kata.classroom.regrade import Moved
from kata.commands.options import Decorator
from kata.model import Level
from kata.screen import classroom as screen
from kata.zygote.launch import Engine

FILE = click.Path(path_type=Path)
LEVELS = click.Choice(("strict", "seccomp", "process"))
FORMATS = click.Choice(("canvas", "moodle", "csv", "jsonl", "junit", "gradescope", "feedback"))

course: Decorator[Any] = click.option(
    "-C", "--course", metavar="DIR", help="The class's folder (default: the nearest)."
)
assignment: Decorator[Any] = click.option("-a", "--assignment", metavar="NAME", help="Needed where there are several.")
accept: Decorator[Any] = click.option(
    "--accept", type=LEVELS, help="Accept a sandbox this weak, whatever course.toml says."
)
judges: Decorator[Any] = click.option(
    "--judges", type=click.IntRange(1), default=crowd.cores, help="Default: one a core."
)


@click.group("classroom")
def command() -> None:
    """Grade whole classes: collect, grade, explain, report, export."""


@command.command("init")
@click.argument("folder", type=FILE)
@click.option(
    "--from", "old", type=FILE, metavar="OLD", help="Copy the policy of this class: never its people or seed."
)
def init(folder: Path, old: Path | None) -> None:
    """Make a new class in FOLDER: course.toml, roster.csv, decisions.csv and a gradebook."""
    desk.init(folder, old)
    click.echo(f"Made {folder}. Next: fill in its course.toml and roster.csv, then type")
    click.echo(f"  kata classroom grade SUBMISSIONS -C {folder}")


@command.command("grade")
@click.argument("submissions", type=FILE, required=False)
@assignment
@course
@accept
@judges
@click.option(
    "--times",
    metavar="CSV",
    help="When each student handed in (student,submitted), or `files` for file dates (a zip's: by this clock).",
)
@click.option("--layout", type=click.Choice(LAYOUTS), help="How the submissions are laid out (default: recognised).")
def grade(
    submissions: Path | None,
    assignment: str | None,
    course: str | None,
    accept: Level | None,
    judges: int,
    times: str | None,
    layout: Layout | None,
) -> int:
    """Collect SUBMISSIONS (a folder or zip) and grade whatever has no result yet; without it, go on."""
    with Desk(course) as at, Engine(warm=True) as ahead:  # torch is imported while submissions are read
        asked = at.room.assignment(assignment)
        at.level(accept)
        if submissions is not None:
            screen.collected(at.take(submissions, asked, times, layout))
        last = screen.running(at.grade(asked, accept, judges, ahead), at.idle(asked))
        screen.stale(at.stale(asked), at.again)
        screen.unclaimed(at.unclaimed())
        return 3 if last.faults else 0


@command.command("regrade")
@click.option("--dry-run", "dry", is_flag=True, help="Show every mark that would move, and change nothing.")
@course
@accept
@judges
def regrade(dry: bool, course: str | None, accept: Level | None, judges: int) -> int:
    """Grade anew whatever was graded with another version, seed, limits, kata or torch."""
    moved: list[Moved] = []
    with Desk(course) as at:
        last = screen.running(at.regrade(accept, judges, dry, moved), at.unmoved())
    if last.of:
        screen.moved(moved, dry, at.again)
    return 3 if last.faults else 0


@command.command("explain")
@click.argument("student")
@course
def explain(student: str, course: str | None) -> None:
    """Say how each mark of STUDENT came about."""
    with Desk(course) as at:
        who = at.student(student)
        marks = [mark for mark in at.marks() if mark.student == who.id]
        answers = [answer.id for mark in marks if mark.attempt for answer in mark.attempt.answers]
        screen.explained(marks, {id: at.book.history(id) for id in answers})


@command.command("report")
@click.option("-o", "--output", type=FILE, default=Path("report.html"), metavar="FILE", help="Default: report.html.")
@click.option("--anonymous", is_flag=True, help="Leave out names, times and texts of students.")
@click.option("--with-code", is_flag=True, help="Show an answer for each misconception.")
@course
def report(output: Path, anonymous: bool, with_code: bool, course: str | None) -> None:
    """Write what the class understood, and what not, as one HTML page."""
    from kata.classroom import out

    with Desk(course) as at:
        screen.unclaimed(at.unclaimed())
        click.echo(f"Wrote {out.report(at, output, anonymous, with_code)}.")


@command.command("export")
@click.argument("format", type=FORMATS)
@click.option(
    "-o", "--output", type=FILE, required=True, metavar="PATH", help="A file; for gradescope and feedback a folder."
)
@click.option("--template", type=FILE, metavar="FILE", help="The file that you downloaded from Canvas or Moodle.")
@click.option(
    "--column", default="", metavar="NAME", help="Its column for this assignment (default: the assignment's name)."
)
@assignment
@course
def export(
    format: str, output: Path, template: Path | None, column: str, assignment: str | None, course: str | None
) -> None:
    """Write the marks in FORMAT."""
    from kata.classroom import out

    with Desk(course) as at:
        screen.unclaimed(at.unclaimed())
        screen.written(out.export(at, format, at.room.assignment(assignment), output, template, column))


@command.command("forget")
@click.argument("student")
@click.option("--yes", is_flag=True, help="Don't ask.")
@course
def forget(student: str, yes: bool, course: str | None) -> None:
    """Delete everything about STUDENT from the gradebook, roster.csv and decisions.csv."""
    with Desk(course) as at:
        who = at.remembered(student)
        if not yes:
            click.confirm(f"Delete {who.id} and everything handed in? This can't be undone", abort=True)
        gone = at.forget(who)
    told = counted(gone, "attempt")
    click.echo(f"Forgot {who.id}: {told}. Files that you exported or downloaded are yours to delete.")
