"""Where the learner's files are, and reading them without trusting them."""

import os
import stat
from pathlib import Path

from kata.errors import KataError
from kata.model import Error, ErrorKind, Problem, Submission

SOURCE_CAP = 2**20


def submission(problem: Problem, file: str | None, track: Path) -> Submission:
    """The learner's file: the one that was named, or the problem's own in the workspace around the current folder."""
    path = Path(file) if file else locate(problem, track)
    refused: Error | None = None
    source = b""
    try:
        source = read(path)
    except Unreadable as wrong:
        refused = Error(wrong.kind, str(wrong))
    return Submission(shown(path), source, refused=refused)


class Unreadable(Exception):
    """A file that can't be judged, and of which kind."""

    def __init__(self, kind: ErrorKind, message: str) -> None:
        super().__init__(message)
        self.kind: ErrorKind = kind


def locate(problem: Problem, track: Path) -> Path:
    """The file of a problem in the nearest workspace, or in the checkout that kata runs from."""
    for folder in _upward():
        for candidate in (folder / "problems" / problem.question.name, folder / problem.question.name):
            if candidate.is_file():
                return candidate
    if (track / "pyproject.toml").is_file() and problem.question.is_file():
        return problem.question
    raise KataError(
        f"No {problem.question.name} here, in problems/, or in a folder above. "
        f"Go to the folder that holds your answer, or name it: kata grade {problem.number} FILE"
    )


def _upward() -> list[Path]:
    try:
        here = Path.cwd()
    except OSError:
        return []
    return [here, *here.parents]


def shown(path: Path) -> str:
    """A path as the learner would type it: relative where it lies below the current folder."""
    try:
        return str(path.resolve().relative_to(Path.cwd().resolve()))
    except (ValueError, OSError, RuntimeError):
        return str(path)


def read(path: Path) -> bytes:
    """The bytes of a regular file of sensible size; raises Unreadable in a sentence."""
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except FileNotFoundError:
        raise Unreadable("missing_file", f"there is no file {path}") from None
    except (OSError, ValueError) as wrong:
        reason = getattr(wrong, "strerror", None) or str(wrong)
        raise Unreadable("unreadable", f"{path} can't be read: {reason}") from None
    with os.fdopen(fd, "rb", buffering=0) as file:
        return _read(path, file.fileno())


def _read(path: Path, fd: int) -> bytes:
    facts = os.fstat(fd)
    if stat.S_ISDIR(facts.st_mode):
        raise Unreadable("unreadable", f"{path} is a folder; a Python file is asked for")
    if not stat.S_ISREG(facts.st_mode):
        raise Unreadable("unreadable", f"{path} is not a regular file")
    if facts.st_size > SOURCE_CAP:
        raise Unreadable("too_large", f"{path} has {facts.st_size:,} bytes; at most {SOURCE_CAP:,} are read")
    chunks, left = [], SOURCE_CAP + 1
    while left > 0 and (data := os.read(fd, left)):
        chunks.append(data)
        left -= len(data)
    if left <= 0:
        raise Unreadable("too_large", f"{path} is larger than {SOURCE_CAP:,} bytes")
    return b"".join(chunks)
