"""The worked answer: who may see it, that it was seen, and how it differs from the learner's own."""

import ast
import difflib
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from kata import progress, workspace
from kata.errors import KataError, Unreadable
from kata.model import Problem
from kata.workspace import Workspace


class Worked(Struct, frozen=True):
    """A worked answer: the way to it in Markdown, and its code."""

    text: str
    code: str


def opened(home: Workspace, problem: Problem, give_up: bool, verb: str = "solution") -> Worked:
    """The worked answer, recorded as seen; raises KataError before a pass, unless the learner gives up."""
    entry = progress.entry(home, problem)
    if not (entry.passed or entry.solution_seen or give_up):
        raise KataError(
            f"Problem {problem.number} is not passed yet. `kata hint {problem.number}` gives one step of help; "
            f"to see the answer all the same (it is recorded): kata {verb} {problem.number} --give-up"
        )
    worked = split(problem.answer.read_text("utf-8"))
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


def difference(home: Workspace, problem: Problem, file: Path, give_up: bool) -> Iterator[str]:
    """The lines of a unified diff from the learner's code to the worked answer's, both without their opening text."""
    try:
        mine = split(workspace.read(file).decode("utf-8", "replace")).code
    except Unreadable as wrong:
        raise KataError(f"{wrong}.") from None
    theirs = opened(home, problem, give_up, "diff").code
    names = workspace.shown(file), f"worked answer to {problem.number}"
    yield from difflib.unified_diff(mine.splitlines(), theirs.splitlines(), *names, lineterm="")
