"""Whole files or none."""

import os
import threading
from pathlib import Path

import pytest

from kata.errors import KataError
from kata.files import write


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    for content in (b"first", b"", b"third\0"):
        write(path, content)
        assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    (tmp_path / "file").write_text("old")
    write(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_text() == "new"


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    write(tmp_path / "pipe", b"through")
    reader.join()
    assert got == [b"through"]


@pytest.mark.parametrize("name", ["no/such/folder", "file/below", "x" * 300])
def test_what_cannot_be_written_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KataError) as wrong:
        write(tmp_path / name, b"x")
    assert str(wrong.value).startswith(f"{tmp_path / name} can't be written: ")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file"]
