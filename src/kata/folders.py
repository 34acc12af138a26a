"""A learner's folder over time: made, brought up to date, one answer put back to its stub. Nothing is overwritten."""

import ast
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from kata import __version__, pristine, progress, track, workspace
from kata.errors import KataError, Unreadable
from kata.files import write
from kata.model import Problem
from kata.typed import typed
from kata.workspace import MARKER, RECORDS, Workspace

FORMAT = "kata.workspace/1"
Brought = Literal["new", "same", "updated", "statement", "yours"]
IGNORED = f"__pycache__/\n.ipynb_checkpoints/\n{RECORDS}/lock\n"


class Given(Struct, frozen=True):
    """What was given out for one problem: hashes of the whole stub and of the statement in it."""

    stub: str
    statement: str


class Marker(Struct, frozen=True):
    """What makes a folder a workspace, and what was put into it."""

    format: str = FORMAT
    kata: str = __version__
    given: dict[str, Given] = {}


def init(folder: Path, root: Path) -> tuple[Workspace, int]:
    """Makes a workspace, or completes one; how many problem files are new. What is there already stays."""
    if workspace.is_checkout(root) and folder.resolve() == root.resolve():
        raise KataError("This is kata's own repository, and a workspace already: your answers go into its problems/.")
    home = Workspace(folder.resolve())
    try:
        (home.root / "problems").mkdir(parents=True, exist_ok=True)
        with progress.locked(home):
            brought = dict(_brought(home, root))
            _put(home.root / "README.md", _readme(root).encode())
            _put(home.root / ".gitignore", IGNORED.encode())
    except OSError as wrong:
        raise KataError(f"{folder} can't be made a workspace: {wrong.strerror or wrong}") from None
    return home, sum(how == "new" for how in brought.values())


def update(home: Workspace, root: Path) -> dict[str, Brought]:
    """Brings new problems and corrected statements; what became of each file that is not as it was."""
    if home.checkout:
        raise KataError("This workspace is kata's own repository; git brings what is new: git pull")
    with progress.locked(home):
        return {name: how for name, how in _brought(home, root) if how != "same"}


def _brought(home: Workspace, root: Path) -> Iterator[tuple[str, Brought]]:
    marker = _marker(home)
    given = dict(marker.given)
    for name, stub in ((path.name, path) for path in track.numbers(root).values()):
        new = pristine.text(stub).encode()
        yield name, _bring(home.root / "problems" / name, new, given.get(name))
        given[name] = Given(_hash(new), _hash(_statement(new)[0]))
    write(home.records / MARKER, msgspec.json.format(msgspec.json.encode(Marker(given=given)), indent=2) + b"\n")


def _bring(file: Path, new: bytes, given: Given | None) -> Brought:
    """Puts a stub where nothing is; into an answer, the new statement alone, and only over one that was given out."""
    if not os.path.lexists(file):
        return "new" if _put(file, new) else "yours"
    try:
        old = workspace.read(file)
    except Unreadable:
        return "yours"
    if old == new or given is None:
        return "same"
    if _hash(old) == given.stub:
        write(file, new)
        return "updated"
    (statement, code), fresh = _statement(old), _statement(new)[0]
    if statement == fresh or given.statement == _hash(fresh):
        return "same"
    if _hash(statement) != given.statement:
        return "yours"
    _exchange(file, fresh + code)
    return "statement"


def _statement(source: bytes) -> tuple[bytes, bytes]:
    """A file in two: up to the end of its opening docstring, and what follows."""
    try:
        first = ast.parse(source).body[0]
    except (SyntaxError, ValueError, IndexError):
        return b"", source
    if not (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    ):
        return b"", source
    lines = source.splitlines(keepends=True)
    ends = sum(map(len, lines[: (first.end_lineno or 1) - 1])) + (first.end_col_offset or 0)
    return source[:ends], source[ends:]


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _marker(home: Workspace) -> Marker:
    try:
        return msgspec.json.decode((home.records / MARKER).read_bytes(), type=Marker)
    except FileNotFoundError:
        return Marker()
    except msgspec.MsgspecError as wrong:
        file = home.records / MARKER
        raise KataError(f"{file} can't be understood ({wrong}). Move it away and run: kata init {home.root}") from None


def reset(home: Workspace, problem: Problem) -> Path | None:
    """Puts a stub in an answer's place; where the old file is now, or None where it was the stub already."""
    file, stub = home.file(problem), pristine.text(problem.question).encode()
    with progress.locked(home):
        if _content(file) == stub:
            return None
        if os.path.lexists(file):
            return _exchange(file, stub)
        write(file, stub)
    return None


def restore(home: Workspace, problem: Problem) -> tuple[Path, Path | None]:
    """Brings the newest kept file back; which one, and where the present one is now, unless it was the stub."""
    file, stub = home.file(problem), pristine.text(problem.question).encode()
    with progress.locked(home):
        newest = max(kept(file), key=_count, default=None)
        if newest is None:
            raise KataError(f"No earlier {file.name} is kept beside it: nothing was ever reset here.")
        put_aside = None if _content(file) in (stub, None) else _aside(file)
        newest.replace(file)
    return newest, put_aside


def kept(file: Path) -> list[Path]:
    """The earlier versions that lie beside an answer."""
    return [path for path in file.parent.glob(f"{file.name}.old-*") if path.suffix[5:].isdigit()]


def _count(path: Path) -> int:
    return int(path.suffix[5:])


def _content(file: Path) -> bytes | None:
    try:
        return workspace.read(file)
    except Unreadable as wrong:
        if wrong.kind == "missing_file":
            return None
        raise KataError(f"{wrong}. Nothing was changed.") from None


def _exchange(file: Path, content: bytes) -> Path:
    """Puts new content in a file's place, the old file beside it."""
    aside = _aside(file)
    write(file, content)
    return aside


def _aside(file: Path) -> Path:
    """A second name for a file, under which it outlives what is put in its place."""
    aside = file.with_name(f"{file.name}.old-{max(map(_count, kept(file)), default=0) + 1}")
    try:
        os.link(file.resolve(), aside)
    except OSError:  # no hard links on this file system, or a folder in the file's place
        _put(aside, _content(file) or b"")
    return aside


def _put(file: Path, content: bytes) -> bool:
    """Writes a file unless there is one."""
    if os.path.lexists(file):
        return False
    write(file, content)
    return True


def _readme(root: Path) -> str:
    """What a workspace says of itself, with commands that work in it."""
    n = next(iter(sorted(track.numbers(root))), 1)
    offers = {
        "next": "which problem to take up now",
        f"show {n}": "its statement",
        f"hint {n}": "a step of help",
        f"grade {n}": "what is right, what is wrong, and why",
        f"watch {n}": "grades every time you save",
        "progress": "how far you are",
    }
    lines = "\n".join(f"    {typed(root, words):<20}   {what}" for words, what in offers.items())
    return README.format(commands=lines, reset=typed(root, f"reset {n}"), update=typed(root, "update"))


README = """\
# My kata

Each file in `problems/` holds a question and a function to write.

{commands}

Answers stay yours: `{reset}` keeps the old file beside the new one, and `{update}` never touches your code.
What you did is kept in `.kata/progress.json`; commit it with your answers if you like.
"""
