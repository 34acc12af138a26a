"""Recognises how a platform lays out submissions, and whose each file is."""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from os.path import commonprefix
from typing import Literal

from msgspec import Struct

from kata.classroom.entries import Entry
from kata.workspace import Unreadable

Layout = Literal["canvas", "moodle", "gradescope", "folders", "files"]
LAYOUTS: tuple[Layout, ...] = ("canvas", "moodle", "gradescope", "folders", "files")
MOODLE = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_file_?(?P<file>.*)")
CANVAS = re.compile(r"(?P<name>[^_]+?)_(?P<late>LATE_)?(?P<number>\d+)_(?P<upload>\d+)_(?P<file>.+)", re.DOTALL)
GRADESCOPE = re.compile(r"submission_\d+")
METADATA = "submission_metadata.yml"
RESUBMITTED = re.compile(r"-(\d+)(?=\.\w+$)")


class Owned(Struct, frozen=True):
    """A file, the words that say whose it is, and what the platform says about it."""

    top: str
    words: tuple[str, ...]
    inside: tuple[str, ...]  # its path within the student's own things
    entry: Entry
    version: int = 0
    late: bool = False
    time: datetime | None = None


def unwrapped(entries: list[Entry], is_student: Callable[[str], bool]) -> list[Entry]:
    """The entries without the folders that hold all of them, unless such a folder is a student's own."""
    while entries and all(len(e.parts) > 1 for e in entries) and len({e.parts[0] for e in entries}) == 1:
        top = entries[0].parts[0]
        if is_student(top) or MOODLE.fullmatch(top) or GRADESCOPE.fullmatch(top):
            break
        entries = [Entry(e.parts[1:], e.read, e.time) for e in entries]
    return entries


def placed(entries: list[Entry], folder: str, is_student: Callable[[str], bool]) -> list[Entry]:
    """The entries of a folder that is one student's own, below its name, so that it says whose they are."""
    if not is_student(folder) or any(is_student(e.parts[0]) or is_student(_stem(e.parts[0])) for e in entries):
        return entries
    return [Entry((folder, *e.parts), e.read, e.time) for e in entries]


def recognise(entries: list[Entry]) -> Layout:
    """The layout that at least half of the names at the top have."""
    tops = {entry.parts[0] for entry in entries}
    folders = {entry.parts[0] for entry in entries if len(entry.parts) > 1}
    tests: tuple[tuple[Layout, Callable[[str], object]], ...] = (
        ("moodle", MOODLE.fullmatch),
        ("gradescope", GRADESCOPE.fullmatch),
        ("canvas", CANVAS.fullmatch),
    )
    for layout, test in tests:
        if 2 * sum(bool(test(top)) for top in tops) >= max(1, len(tops)):
            return layout
    return "folders" if 2 * len(folders) >= max(1, len(tops)) else "files"


def owned(entries: list[Entry], layout: Layout) -> Iterator[Owned]:
    """Every entry with the words that say whose it is; none where its name doesn't fit the layout."""
    match layout:
        case "canvas":
            yield from map(_canvas, entries)
        case "moodle":
            yield from map(_moodle, entries)
        case "gradescope":
            yield from _gradescope(entries)
        case "folders":
            yield from _folders(entries)
        case "files":
            yield from (Owned(e.parts[0], (_stem(e.parts[0]),), e.parts, e) for e in entries)


def _stem(name: str) -> str:
    return name.rpartition(".")[0] or name


def _canvas(entry: Entry) -> Owned:
    top = entry.parts[0]
    found = CANVAS.fullmatch(top)
    if found is None:
        return Owned(top, (), entry.parts, entry)
    resubmitted = RESUBMITTED.search(found["file"])
    file = RESUBMITTED.sub("", found["file"])
    version = int(resubmitted[1][:9]) if resubmitted else 0
    inside = (file, *entry.parts[1:])
    return Owned(top, (found["number"], found["name"]), inside, entry, version, bool(found["late"]))


def _moodle(entry: Entry) -> Owned:
    top = entry.parts[0]
    found = MOODLE.fullmatch(top)
    if found is None:
        return Owned(top, (), entry.parts, entry)
    inside = tuple(filter(None, (found["file"], *entry.parts[1:])))
    return Owned(top, (found["number"], found["name"]), inside or entry.parts, entry)


def _folders(entries: list[Entry]) -> Iterator[Owned]:
    """The folder's name, or what follows the part that all of them share, as `masks-ana-login` has it."""
    tops = {entry.parts[0] for entry in entries if len(entry.parts) > 1}
    shared = commonprefix([*tops]) if len(tops) > 1 else ""  # noqa: RUF071 (of names, by characters)
    shared = shared[: shared.rfind("-") + 1]
    for entry in entries:
        top = entry.parts[0]
        words = tuple({top, top.removeprefix(shared)}) if len(entry.parts) > 1 else ()
        yield Owned(top, words, entry.parts[1:] or entry.parts, entry)


def _gradescope(entries: list[Entry]) -> Iterator[Owned]:
    told = next((e for e in entries if e.parts == (METADATA,)), None)
    known = _metadata(told) if told else {}
    for entry in entries:
        if entry is not told:
            words, time = known.get(entry.parts[0], ((), None))
            yield Owned(entry.parts[0], words, entry.parts[1:] or entry.parts, entry, time=time)


def _metadata(entry: Entry) -> dict[str, tuple[tuple[str, ...], datetime | None]]:
    """Submitters and times of submission_metadata.yml, of which only the lines that are needed are understood."""
    try:
        lines = entry.read().decode("utf-8", "replace").splitlines()
    except Unreadable:
        return {}
    known: dict[str, tuple[tuple[str, ...], datetime | None]] = {}
    for top, block in _blocks(lines):
        words = [m[1].strip("'\"") for m in re.finditer(r"^ *(?:- )?:(?:name|email|sid): *(.+?) *$", block, re.M)]
        came = re.search(r"^ {2}:created_at: *(.+?) *$", block, re.M)
        known[top] = tuple(word for word in words if word), _time(came[1]) if came else None
    return known


def _blocks(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    top, block = "", list[str]()
    for line in (*lines, "end:"):
        if line[:1] not in ("", " ", "-", "#"):
            if top:
                yield top, "\n".join(block).partition("  :history:")[0]
            top, block = line.rstrip().removesuffix(":"), []
        block.append(line)


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(re.sub(r"\.(\d{6})\d*", r".\1", text.strip("'\"").replace(" Z", "+00:00")))
    except ValueError:
        return None
