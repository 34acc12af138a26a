"""The files of a folder, read without following anything that leads out of it."""

import os
import stat
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from kata.classroom.model import Note
from kata.words import harmless
from kata.workspace import Unreadable

DEPTH, FILES, PATH = 12, 200_000, 400
READ_CAP = 16 * 2**20  # a notebook with its pictures, or a zip inside a zip
SKIPPED = ("__MACOSX", "__pycache__", "Thumbs.db", "desktop.ini", "node_modules", "venv")


class Entry(Struct, frozen=True):
    """A regular file: the names that lead to it, and a way to read it."""

    parts: tuple[str, ...]
    read: Callable[[], bytes]  # raises Unreadable
    time: datetime | None = None


def shown(parts: tuple[str, ...]) -> str:
    """A path for people: harmless, with a long one cut."""
    return harmless("/".join(parts), 200)


def skipped(name: str) -> bool:
    """Whether a file or folder is never an answer: systems and editors leave it behind."""
    return name in SKIPPED or name.startswith(".")


def walk(root: Path) -> Iterator[Entry | Note]:
    """Every regular file below a folder; what is no such thing is noted, never opened."""
    for count, found in enumerate(_walk(root, ())):
        if count >= FILES:
            yield Note("refused", root.name, f"more than {FILES:,} files: the rest was not looked at")
            return
        yield found


def _walk(folder: Path, parts: tuple[str, ...]) -> Iterator[Entry | Note]:
    try:
        inside = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as wrong:
        yield Note("refused", shown(parts), f"can't be opened: {wrong.strerror}")
        return
    for entry in inside:
        yield from _entry(entry, (*parts, entry.name))


def _entry(entry: os.DirEntry[str], parts: tuple[str, ...]) -> Iterator[Entry | Note]:
    try:
        facts = entry.stat(follow_symlinks=False)
    except OSError as wrong:
        yield Note("refused", shown(parts), f"can't be looked at: {wrong.strerror}")
        return
    if trouble := _trouble(facts.st_mode, parts):
        yield Note("refused", shown(parts), trouble)
    elif skipped(entry.name):
        yield Note("ignored", shown(parts), "left behind by a system or an editor")
    elif stat.S_ISDIR(facts.st_mode):
        yield from _walk(Path(entry.path), parts)
    else:
        yield Entry(parts, lambda: read(Path(entry.path)), date(facts.st_mtime))


def date(seconds: float) -> datetime | None:
    """A file's date, unless it lies beyond the calendar."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _trouble(mode: int, parts: tuple[str, ...]) -> str:
    if stat.S_ISLNK(mode):
        return "is a symbolic link; only regular files are read"
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        return "is no regular file but a pipe, socket or device"
    return too_far(parts)


def too_far(parts: tuple[str, ...]) -> str:
    """Why a path is not looked at: too deep or too long."""
    if len(parts) > DEPTH:
        return f"lies more than {DEPTH} folders deep"
    return f"its path is longer than {PATH} characters" if len("/".join(parts)) > PATH else ""


def read(path: Path) -> bytes:
    """The bytes of a regular file of sensible size, never through a link; raises Unreadable."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Unreadable("unreadable", "is no regular file")
            return capped(file.read(READ_CAP + 1))
    except (OSError, ValueError) as wrong:
        raise Unreadable("unreadable", f"can't be read: {getattr(wrong, 'strerror', None) or wrong}") from None


def capped(data: bytes) -> bytes:
    """The bytes, if they are not too many."""
    if len(data) > READ_CAP:
        raise Unreadable("too_large", f"is larger than {READ_CAP // 2**20} MiB")
    return data
