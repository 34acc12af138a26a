"""What became of a learner's files."""

import shlex
from pathlib import Path

from rich.console import Console

from kata.folders import Brought
from kata.model import Problem
from kata.screen.console import styled
from kata.screen.steps import Steps
from kata.standing import Standing
from kata.typed import shown, typed

TOLD = {
    "new": "is new",
    "updated": "has a corrected statement; you had not touched it",
    "statement": "has a corrected statement; your code is as it was, and the old file is kept beside it",
    "yours": "has a corrected statement, but you changed yours, so it stays. The new one:",
}


def made(console: Console, root: Path, new: int, given: str, first: Standing | None) -> None:
    """A workspace, and what to do in it."""
    console.print(styled((given, "bold"), f" is your workspace: {new} new problem files, nothing overwritten. Next:"))
    number = first.number if first else "NUMBER"
    steps = [
        (typed(root, "list"), "all problems"),
        (typed(root, f"show {number}"), first.title if first else "a statement"),
        (typed(root, f"watch {number}"), "grades every time you save"),
    ]
    if Path(given).resolve() != Path.cwd():
        steps.insert(0, (f"cd {shlex.quote(given)}", ""))
    console.print(Steps(*steps, indent=2), crop=False)


def updated(console: Console, root: Path, changes: dict[str, Brought]) -> None:
    """What is new in a workspace."""
    for name, how in changes.items():
        console.print(styled((name, "bold"), f" {TOLD[how]}"))
        if how == "yours":
            console.print(Steps((typed(root, f"show {int(name.split('_')[0])}"), ""), indent=2), crop=False)
    if not changes:
        console.print("Everything is up to date.")


def put_back(console: Console, problem: Problem, file: Path, aside: Path | None) -> None:
    """A stub in the place of an answer."""
    if aside is None:
        console.print(styled((shown(file), "bold"), " is the untouched stub."))
        return
    console.print("The stub is back in its place. Your file is kept beside it:")
    console.print(styled((f"  {shown(aside)}", "bold")), soft_wrap=True)
    console.print(Steps((typed(problem, f"reset {problem.number} --restore"), "brings it back"), indent=2), crop=False)


def brought_back(console: Console, file: Path, newest: Path, aside: Path | None) -> None:
    """An earlier answer in its place again."""
    kept = f"; what stood there is kept as {shown(aside)}" if aside else ""
    console.print(styled((shown(file), "bold"), f" is what was kept as {newest.name}{kept}"))
