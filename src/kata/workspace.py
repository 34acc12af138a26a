"""Where the learner's files are: the workspace around a folder, and reading answers without trusting them."""

import os
import stat
from pathlib import Path

from msgspec import Struct

from kata import notebook
from kata.errors import KataError
from kata.errors import Unreadable as Unreadable  # what `read` raises
from kata.model import Error, Problem, Submission
from kata.typed import shown as shown
from kata.typed import typed
from kata.words import harmless

SOURCE_CAP = 2**20
NOTEBOOK_CAP = 16 * 2**20  # pictures and all, which are left out before the rest is looked at
RECORDS = ".kata"
MARKER = "workspace.json"


class Workspace(Struct, frozen=True):
    """A learner's folder: answers in problems/, the record in .kata/."""

    root: Path
    checkout: bool = False  # kata's own repository, whose problems/ are the answers

    @property
    def records(self) -> Path:
        """The folder of the record."""
        return self.root / RECORDS

    def file(self, problem: Problem) -> Path:
        """Where the answer to a problem belongs."""
        return self.root / "problems" / problem.question.name


def around(track: Path) -> Workspace | None:
    """The workspace that the current folder lies in; without one, the checkout that kata runs from."""
    for folder in _upward():
        if (found := _workspace(folder, track)) is not None:
            return found
    return Workspace(track, checkout=True) if is_checkout(track) else None


def needed(track: Path) -> Workspace:
    """The workspace around the current folder; raises KataError where there is none."""
    found = around(track)
    if found is None:
        raise KataError(f"You are in no workspace, so nothing could be kept. {_make_one(track)}")
    return found


def remark(track: Path, file: Path | None = None) -> str:
    """What someone has to know who is in no workspace; nothing for those who are, or use a `file` from elsewhere."""
    if file is not None and ((path := _placed(file)) is None or path.parent != (track / "problems").resolve()):
        return ""
    if any(_workspace(folder, track) for folder in _upward()):
        return ""
    if is_checkout(track):
        return f"You are in no workspace, so the one in kata's own repository is used: {track}. {_make_one(track)}"
    return f"You are in no workspace, so nothing is recorded. {_make_one(track)}"


def _make_one(track: Path) -> str:
    return f"A folder of your own: `{typed(track, 'init mine')}`, then `cd mine`"


def owner(file: Path, track: Path) -> Workspace | None:
    """The workspace whose record a file belongs to: any file in a learner's folder, in a checkout problems/ only."""
    if (path := _placed(file)) is None:
        return None
    for folder in path.parents:
        if (found := _workspace(folder, track)) is not None:
            return found if not found.checkout or path.parent == folder / "problems" else None
    return None


def _placed(file: Path) -> Path | None:
    """Where a file lies, a link itself not followed; None where the current folder is gone."""
    try:
        return file.parent.resolve() / file.name
    except (OSError, RuntimeError):
        return None


def _workspace(folder: Path, track: Path) -> Workspace | None:
    if (folder / RECORDS / MARKER).is_file():
        return Workspace(folder)
    return Workspace(folder, checkout=True) if is_checkout(track) and folder == track.resolve() else None


def place(problem: Problem, track: Path) -> str:
    """Where the answer to a problem is written, as the learner would type it; nowhere without a workspace."""
    home = around(track)
    return shown(home.file(problem)) if home else ""


def is_checkout(track: Path) -> bool:
    """Whether a track is a repository with kata's own pyproject.toml, and not a part of an installed package."""
    return (track / "pyproject.toml").is_file()


def submission(problem: Problem, file: str | None, track: Path) -> Submission:
    """The learner's file: the one that was named, or the problem's own in the workspace around the current folder."""
    path = Path(file) if file else locate(problem, track)
    refused: Error | None = None
    source = b""
    try:
        source = read(path)
        if path.suffix == ".ipynb":
            source = notebook.extracted(source, problem.functions, shown(path))
    except Unreadable as wrong:
        refused = Error(wrong.kind, harmless(str(wrong), 1000))
    return Submission(shown(path), source, refused=refused)


def locate(problem: Problem, track: Path) -> Path:
    """The file of a problem in the nearest workspace, or in the checkout that kata runs from."""
    for folder in _upward():
        for candidate in (folder / "problems" / problem.question.name, folder / problem.question.name):
            if candidate.is_file():
                return candidate
    if is_checkout(track) and problem.question.is_file():
        return problem.question
    if (home := around(track)) is not None:
        brings = typed(track, "update")
        raise KataError(f"{home.root} has no problems/{problem.question.name} yet. `{brings}` brings it.")
    raise KataError(
        f"No {problem.question.name} here, in problems/, or in a folder above. {_make_one(track)}. "
        f"Or name your file: `{typed(track, f'grade {problem.number} FILE')}`"
    )


def _upward() -> list[Path]:
    try:
        here = Path.cwd()
    except OSError:
        return []
    return [here, *here.parents]


def read(path: Path) -> bytes:
    """The bytes of a regular file of sensible size; raises Unreadable in a sentence."""
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except FileNotFoundError:
        raise Unreadable("missing_file", f"there is no file {path}") from None
    except (OSError, ValueError) as wrong:
        reason = getattr(wrong, "strerror", None) or str(wrong)
        raise Unreadable("unreadable", f"{path} can't be read: {reason}") from None
    try:
        return _read(path, fd)
    finally:
        os.close(fd)


def _read(path: Path, fd: int) -> bytes:
    facts = os.fstat(fd)
    if stat.S_ISDIR(facts.st_mode):
        raise Unreadable("unreadable", f"{path} is a folder; a Python file is asked for")
    if not stat.S_ISREG(facts.st_mode):
        raise Unreadable("unreadable", f"{path} is not a regular file")
    most = NOTEBOOK_CAP if path.suffix == ".ipynb" else SOURCE_CAP
    if facts.st_size > most:
        raise Unreadable("too_large", f"{path} has {facts.st_size:,} bytes; at most {most:,} are read")
    chunks, left = [], most + 1
    while left > 0 and (data := os.read(fd, left)):
        chunks.append(data)
        left -= len(data)
    if left <= 0:
        raise Unreadable("too_large", f"{path} is larger than {most:,} bytes")
    return b"".join(chunks)
