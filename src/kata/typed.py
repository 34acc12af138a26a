"""Paths and commands as the learner would type them in the current folder."""

import shlex
from pathlib import Path

from kata.errors import KataError
from kata.model import Problem
from kata.words import harmless


def typed(where: Problem | Path, words: str) -> str:
    """A command of kata that means this track (or this problem's) when it is typed as it stands, in any folder."""
    return f"kata {words}{_option(where if isinstance(where, Path) else where.question.parents[1])}"


def _option(root: Path) -> str:
    """` --track DIR`, or nothing where kata finds this track by itself."""
    from kata.track import find_root  # which says commands too

    try:
        if root.resolve() == find_root(None).resolve():
            return ""
    except (KataError, OSError, RuntimeError):
        pass  # KATA_TRACK names no track, or a folder is gone
    return f" --track {shlex.quote(harmless(str(root.absolute()), 500))}"


def shown(path: Path) -> str:
    """A path as the learner would type it: relative where it lies below the current folder, and harmless to print."""
    try:
        return harmless(str(path.resolve().relative_to(Path.cwd().resolve())), 500)
    except (ValueError, OSError, RuntimeError):
        return harmless(str(path), 500)
