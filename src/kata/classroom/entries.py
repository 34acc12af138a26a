"""The files of a folder, read without following anything that leads out of it."""

import os
import stat
from collections import Counter, deque
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import islice
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
    found = [*islice(_walk(root, ()), FILES + 1)]
    yield from sorted(found[:FILES], key=_path)
    if len(found) > FILES:
        place = shown(_crowded([_path(each) for each in found]) or (root.name,))
        yield Note("refused", place, f"of more than {FILES:,} files most are here: not all were looked at")


def _crowded(paths: list[tuple[str, ...]]) -> tuple[str, ...]:
    """The deepest folder that holds more than half of all files."""
    place = tuple[str, ...]()
    while True:
        depth = len(place) + 1
        inside = Counter(path[:depth] for path in paths if len(path) > depth and path[: depth - 1] == place)
        deeper, count = max(inside.items(), key=lambda pair: pair[1], default=(place, 0))
        if 2 * count <= len(paths):
            return place
        place = deeper


def _path(found: Entry | Note) -> tuple[str, ...]:
    return found.parts if isinstance(found, Entry) else tuple(found.path.split("/"))


def _walk(folder: Path, parts: tuple[str, ...]) -> Iterator[Entry | Note]:
    """What a folder holds: its own files, then one of each folder in turn, so that none hides what the others hold."""
    try:
        inside = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as wrong:
        yield Note("refused", shown(parts), f"can't be opened: {wrong.strerror}")
        return
    waiting = deque[Iterator[Entry | Note]]()
    for entry in inside:
        found = _entry(entry, (*parts, entry.name))
        if isinstance(found, Iterator):
            waiting.append(found)
        else:
            yield found
    while waiting:
        folders = waiting.popleft()
        for each in islice(folders, 1):
            yield each
            waiting.append(folders)


def _entry(entry: os.DirEntry[str], parts: tuple[str, ...]) -> Entry | Note | Iterator[Entry | Note]:
    try:
        facts = entry.stat(follow_symlinks=False)
    except OSError as wrong:
        return Note("refused", shown(parts), f"can't be looked at: {wrong.strerror}")
    if trouble := _trouble(facts.st_mode, parts):
        return Note("refused", shown(parts), trouble)
    if skipped(entry.name):
        return Note("ignored", shown(parts), "left behind by a system or an editor")
    if stat.S_ISDIR(facts.st_mode):
        return _walk(Path(entry.path), parts)
    return Entry(parts, lambda: read(Path(entry.path)), date(facts.st_mtime))


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
