"""Recognises how a platform lays out submissions, and whose each file is."""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from os.path import commonprefix
from typing import Literal

from msgspec import Struct

from kata.classroom.entries import Entry, shown
from kata.errors import KataError
from kata.workspace import Unreadable

Layout = Literal["canvas", "moodle", "gradescope", "folders", "files"]
LAYOUTS: tuple[Layout, ...] = ("canvas", "moodle", "gradescope", "folders", "files")
MOODLE = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_file_?(?P<file>.*)")
CANVAS = re.compile(r"(?P<name>[^_]+?)_(?P<late>LATE_)?(?P<number>\d+)_(?P<upload>\d+)_(?P<file>.+)", re.DOTALL)
GRADESCOPE = re.compile(r"submission_\d+")
SUBMITTERS = re.compile(r"^ {2}:submitters:\n(?: {2}[- ].*\n?)*", re.M)
SUBMITTER = re.compile(r"^ {2}(?:- | {2}):(?:name|email|sid): *(.+?) *$", re.M)
METADATA = "submission_metadata.yml"
PLATFORMS = ("canvas", "moodle", "gradescope")
LOGIN = re.compile(r"[A-Za-z0-9-]+")  # of GitHub, as its clones are named
RESUBMITTED = re.compile(r"-(\d+)(?=\.\w+$)")


Whose = Callable[..., str | None]  # the id of the student that some words mean


class Owned(Struct, frozen=True):
    """A file, the words that say whose it is, and what the platform says about it."""

    top: str
    words: tuple[str, ...]
    inside: tuple[str, ...]  # its path within the student's own things
    entry: Entry
    version: int = 0
    late: bool = False
    time: datetime | None = None


def unwrapped(entries: list[Entry], folder: str, whose: Whose, layout: Layout | None = None) -> list[Entry]:
    """The entries without the folders that hold all of them, down to where names say whose they are.

    The folder that was given is the first of these; with a layout it is known to be no student's own.
    """
    found = entries if layout else [Entry((folder, *entry.parts), entry.read, entry.time) for entry in entries]
    while found and all(len(e.parts) > 1 for e in found) and len({e.parts[0] for e in found}) == 1:
        top = found[0].parts[0]
        inner = [Entry(e.parts[1:], e.read, e.time) for e in found]
        if MOODLE.fullmatch(top) or GRADESCOPE.fullmatch(top) or _own(top, inner, whose, layout):
            break
        found = inner
    return found


def _own(folder: str, inner: list[Entry], whose: Whose, layout: Layout | None) -> bool:
    """Whether a folder is one student's own; raises KataError where it may as well hold those of others."""
    owner = whose(_unzipped(folder))
    if owner is None or layout:
        return owner is not None and layout == "folders"
    kind = recognise(inner)
    inside = {student for each in owned(inner, kind) if (student := whose(*each.words)) is not None}
    if owner in inside or (inside and kind in PLATFORMS):
        return False
    if not inside and kind not in PLATFORMS:
        return True
    first = shown(inner[0].parts[:1])
    raise KataError(
        f"{shown((folder,))} may be the folder of the student {owner}, or hold what others handed in, such as {first}. "
        f"If it is {owner}'s, put it alone into a folder and grade that with --layout folders; "
        f"else grade it itself with --layout {kind}."
    )


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
    """The folder's name, or what follows a part that all of them share, as `masks-ana-login` has it."""
    tops = {entry.parts[0] for entry in entries if len(entry.parts) > 1}
    shared = commonprefix([*tops]) if len(tops) > 1 else ""  # noqa: RUF071 (of names, by characters)
    for entry in entries:
        top = _unzipped(entry.parts[0])
        logins = [top[at.end() :] for at in re.finditer("-", shared) if LOGIN.fullmatch(top, at.end())]
        words = (top, *logins) if len(entry.parts) > 1 else ()
        yield Owned(entry.parts[0], words, entry.parts[1:] or entry.parts, entry)


def _unzipped(top: str) -> str:
    """The name of a folder, which may have come as a zip."""
    return top[:-4] if top.lower().endswith(".zip") else top


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
        people = SUBMITTERS.search(block)  # what an autograder printed has names, too
        words = [m[1].strip("'\"") for m in SUBMITTER.finditer(people[0] if people else "")]
        came = re.search(r"^ {2}:created_at: *(.+?) *$", block, re.M)
        known[top] = tuple(word for word in words if word), _time(came[1]) if came else None
    return known


def _blocks(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    top, block = "", list[str]()
    for line in (*lines, "end:"):
        if line[:1] not in ("", " ", "-", "#"):
            if top:
                yield top, "\n".join(block)
            top, block = line.rstrip().removesuffix(":"), []
        block.append(line)


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(re.sub(r"\.(\d{6})\d*", r".\1", text.strip("'\"").replace(" Z", "+00:00")))
    except ValueError:
        return None
