"""The worked answer: who may see it, that it was seen, and how it differs from the learner's own."""

import ast
import difflib
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from kata import progress, workspace
from kata.errors import KataError, Unreadable
from kata.model import Problem
from kata.progress import Entry
from kata.typed import shown, typed
from kata.workspace import Workspace


class Worked(Struct, frozen=True):
    """A worked answer: the way to it in Markdown, and its code."""

    text: str
    code: str


def is_open(home: Workspace | None, problem: Problem) -> bool:
    """Whether the worked answer may be seen: the problem is passed, or it was seen already."""
    entry = progress.entry(home, problem) if home else Entry()
    return bool(entry.passed or entry.solution_seen)


def opened(home: Workspace | None, problem: Problem, give_up: bool, verb: str = "solution") -> Worked:
    """The worked answer, recorded as seen; raises KataError before a pass, unless the learner gives up.

    Without a workspace nothing is known of a pass, so only giving up opens it, and nothing is recorded.
    """
    if not (give_up or is_open(home, problem)):
        anyway = typed(problem, f"{verb} {problem.number} --give-up")
        hint = typed(problem, f"hint {problem.number}")
        if home is None:
            raise KataError(
                f"You are in no workspace, so it is not known what you have passed. Show it anyway: `{anyway}`"
            )
        raise KataError(
            f"Problem {problem.number} is not passed yet. `{hint}` gives one step of help; "
            f"to see the answer all the same (it is recorded): `{anyway}`"
        )
    worked = split(problem.answer.read_text("utf-8"))
    if home is not None:
        progress.change(home, problem, progress.seen)
    return worked


def split(source: str) -> Worked:
    """A file's docstring, without its title, and the code that follows it."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return Worked("", source.strip("\n") + "\n")
    text = ast.get_docstring(tree) or ""
    title, _, rest = text.partition("\n")
    end = (tree.body[0].end_lineno or 0) if text else 0
    code = "\n".join(source.splitlines()[end:]).strip("\n") + "\n"
    return Worked(rest.strip() if title.startswith("#") else text, code)


def difference(home: Workspace | None, problem: Problem, file: Path, give_up: bool) -> Iterator[str]:
    """The lines of a unified diff from the learner's code to the worked answer's, both without their opening text."""
    try:
        mine = split(workspace.read(file).decode("utf-8", "replace")).code
    except Unreadable as wrong:
        raise KataError(f"{wrong}.") from None
    theirs = opened(home, problem, give_up, "diff").code
    names = shown(file), f"worked answer to {problem.number}"
    yield from difflib.unified_diff(mine.splitlines(), theirs.splitlines(), *names, lineterm="")
