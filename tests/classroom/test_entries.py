"""A folder is read without following anything that leads out of it."""

import os
import socket
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kata.classroom import entries
from kata.classroom.entries import Entry, walk
from kata.classroom.model import Note
from kata.workspace import Unreadable


def found(root: Path) -> tuple[dict[str, bytes], dict[str, str]]:
    """What is read, and what is noted, by path."""
    items = list(walk(root))
    read = {"/".join(item.parts): item.read() for item in items if isinstance(item, Entry)}
    return read, {item.path: item.text for item in items if isinstance(item, Note)}


def test_links_pipes_sockets_and_leftovers_are_named_and_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    root = tmp_path / "submissions"
    (root / "ana").mkdir(parents=True)
    (root / "ana" / "04.py").write_text("mine")
    (root / "ana" / "link.py").symlink_to(secret)
    (root / "bob").symlink_to(root / "ana", target_is_directory=True)
    os.mkfifo(root / "ana" / "pipe.py")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(root / "ana" / "socket.py"))
    (root / "__MACOSX").mkdir()
    (root / "__MACOSX" / "04.py").write_text("not mine")
    (root / "ana" / ".hidden.py").write_text("hidden")
    read, notes = found(root)
    listening.close()
    assert read == {"ana/04.py": b"mine"}
    assert {path: text.split(";")[0].split(",")[0] for path, text in notes.items()} == {
        "__MACOSX": "left behind by a system or an editor",
        "ana/.hidden.py": "left behind by a system or an editor",
        "ana/link.py": "is a symbolic link",
        "ana/pipe.py": "is no regular file but a pipe",
        "ana/socket.py": "is no regular file but a pipe",
        "bob": "is a symbolic link",
    }


def test_a_file_that_turns_into_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("mine")
    (entry,) = walk(tmp_path)
    assert isinstance(entry, Entry)
    (tmp_path / "a.py").unlink()
    (tmp_path / "a.py").symlink_to("/etc/passwd")
    with pytest.raises(Unreadable):
        entry.read()


def test_depth_length_size_and_number_have_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path.joinpath(*["d"] * 13)
    deep.mkdir(parents=True)
    long = tmp_path / ("x" * 200) / ("y" * 200)
    long.mkdir(parents=True)
    (long / "a.py").write_text("")
    (tmp_path / "big.py").write_bytes(b"#" * 101)
    monkeypatch.setattr(entries, "READ_CAP", 100)
    items = list(walk(tmp_path))
    notes = [item.text for item in items if isinstance(item, Note)]
    assert sorted(notes) == ["its path is longer than 400 characters", "lies more than 12 folders deep"]
    (big,) = [item for item in items if isinstance(item, Entry)]
    with pytest.raises(Unreadable, match="is larger than"):
        big.read()


@pytest.mark.parametrize("below", ["", "class/"])
@pytest.mark.parametrize("spread", ["{}.py", "{}/{}.py"])
def test_too_many_files_of_one_never_hide_those_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, below: str, spread: str
) -> None:
    for path in (*(f"aaa/{spread.format(n, n)}" for n in range(50)), "ana/a/b.py", "bob/c.py"):
        file = tmp_path / below / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    monkeypatch.setattr(entries, "FILES", 10)
    *found, note = walk(tmp_path)
    paths = ["/".join(each.parts).removeprefix(below) for each in found if isinstance(each, Entry)]
    assert len(paths) == 10 and paths == sorted(paths) and {"ana/a/b.py", "bob/c.py"} < {*paths}
    assert isinstance(note, Note) and note.path == f"{below}aaa" and "more than 10 files" in note.text


def test_ten_thousand_files_are_walked(tmp_path: Path) -> None:
    for n in range(10_000):
        (tmp_path / f"{n}.py").touch()
    assert sum(isinstance(item, Entry) for item in walk(tmp_path)) == 10_000


def test_what_cannot_be_looked_at_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "07.py").touch()

    class Locked:
        """As in a folder that may be listed and not entered, which root never meets."""

        name = "locked"

        def stat(self, follow_symlinks: bool) -> None:
            raise PermissionError(13, "Permission denied")

    inside = [*os.scandir(tmp_path), Locked()]
    monkeypatch.setattr(os, "scandir", lambda _: inside)
    file, locked = entries.walk(tmp_path)
    assert isinstance(file, Entry) and file.parts == ("07.py",)
    assert locked == Note("refused", "locked", "can't be looked at: Permission denied")


def test_a_date_beyond_the_calendar_is_no_date() -> None:
    assert entries.date(1e15) is None and entries.date(0) == datetime(1970, 1, 1, tzinfo=UTC)
