"""A folder is read without following anything that leads out of it."""

import os
import socket
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
    monkeypatch.setattr(entries, "FILES", 1)
    assert "more than 1 files" in [item for item in walk(tmp_path) if isinstance(item, Note)][-1].text


def test_ten_thousand_files_are_walked(tmp_path: Path) -> None:
    for n in range(10_000):
        (tmp_path / f"{n}.py").touch()
    assert sum(isinstance(item, Entry) for item in walk(tmp_path)) == 10_000
