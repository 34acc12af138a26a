"""What became of a learner's files."""

from pathlib import Path

from rich.console import Console

from kata.folders import Brought
from kata.model import Problem
from kata.screen.console import styled
from kata.standing import Standing
from kata.workspace import shown

TOLD = {
    "new": "is new",
    "updated": "has a corrected statement; you had not touched it",
    "statement": "has a corrected statement; your code is as it was, and the old file is kept beside it",
    "yours": "has a corrected statement, but you changed yours, so it stays: kata show {number} has the new one",
}


def made(console: Console, new: int, given: str, first: Standing | None) -> None:
    """A workspace, and what to do in it."""
    console.print(styled((given, "bold"), f" is your workspace: {new} new problem files, nothing overwritten. Next:"))
    if Path(given).resolve() != Path.cwd():
        console.print(styled((f"  cd {given}", "cyan")))
    number = first.number if first else "NUMBER"
    for command, what in (
        ("kata list", "all problems"),
        (f"kata show {number}", first.title if first else "a statement"),
        (f"kata watch {number}", "grades every time you save"),
    ):
        console.print(styled((f"  {command:<16}", "cyan"), what))


def updated(console: Console, changes: dict[str, Brought]) -> None:
    """What is new in a workspace."""
    for name, how in changes.items():
        console.print(styled((name, "bold"), f" {TOLD[how].format(number=int(name.split('_')[0]))}"))
    if not changes:
        console.print("Everything is up to date.")


def put_back(console: Console, problem: Problem, file: Path, aside: Path | None) -> None:
    """A stub in the place of an answer."""
    if aside is None:
        console.print(styled((shown(file), "bold"), " is the untouched stub."))
        return
    console.print(styled((shown(file), "bold"), " is the stub again. Your file is kept as ", (shown(aside), "bold")))
    console.print(styled("  It comes back with ", (f"kata reset {problem.number} --restore", "cyan")))


def brought_back(console: Console, file: Path, newest: Path, aside: Path | None) -> None:
    """An earlier answer in its place again."""
    kept = f"; what stood there is kept as {shown(aside)}" if aside else ""
    console.print(styled((shown(file), "bold"), f" is what was kept as {newest.name}{kept}"))
