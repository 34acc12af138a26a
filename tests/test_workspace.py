"""The learner's file: found, and read without trust."""

import os
from pathlib import Path

import pytest

from kata import track
from kata.errors import KataError
from kata.workspace import NOTEBOOK_CAP, SOURCE_CAP, Unreadable, locate, read, shown, submission
from tests import tiny


def test_a_file_is_read_as_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"\xff\0\n")
    assert read(tmp_path / "a.py") == b"\xff\0\n"
    (tmp_path / "cap.py").write_bytes(b"#" * SOURCE_CAP)
    assert len(read(tmp_path / "cap.py")) == SOURCE_CAP


@pytest.mark.parametrize("name", ["missing", "folder", "pipe", "device", "large", "loop", "null", "long", "below"])
def test_what_cannot_be_read_is_said_in_a_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b"#" * (SOURCE_CAP + 1))
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    paths = {"device": Path("/dev/zero"), "null": Path("a\0b"), "long": Path("x" * 300), "below": tmp_path / "file/a"}
    path = paths.get(name, tmp_path / name)
    texts = {
        "missing": ("missing_file", f"there is no file {path}"),
        "folder": ("unreadable", f"{path} is a folder; a Python file is asked for"),
        "pipe": ("unreadable", f"{path} is not a regular file"),
        "device": ("unreadable", "/dev/zero is not a regular file"),
        "large": ("too_large", f"{path} has 1,048,577 bytes; at most 1,048,576 are read"),
        "loop": ("unreadable", f"{path} can't be read: Too many levels of symbolic links"),
        "null": ("unreadable", f"{path} can't be read: embedded null byte"),
        "long": ("unreadable", f"{path} can't be read: File name too long"),
        "below": ("unreadable", f"{path} can't be read: Not a directory"),
    }
    with pytest.raises(Unreadable) as wrong:
        read(path)
    assert (wrong.value.kind, str(wrong.value)) == texts[name]


def test_a_notebook_may_be_as_large_as_its_pictures(tmp_path: Path) -> None:
    (tmp_path / "large.ipynb").write_bytes(b" " * (SOURCE_CAP + 1))
    assert len(read(tmp_path / "large.ipynb")) == SOURCE_CAP + 1
    os.truncate(tmp_path / "large.ipynb", NOTEBOOK_CAP + 1)
    with pytest.raises(Unreadable, match="has 16,777,217 bytes; at most 16,777,216 are read"):
        read(tmp_path / "large.ipynb")


def test_the_nearest_file_is_found(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KATA_TRACK", str(root))
    problem = track.find(root, "7")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    with pytest.raises(KataError) as wrong:
        locate(problem, root)
    assert str(wrong.value) == (
        "No 07_double_and_shift.py here, in problems/, or in a folder above. "
        "A folder of your own: `kata init mine`, then `cd mine`. Or name your file: `kata grade 7 FILE`"
    )
    for place in (tmp_path / "problems", tmp_path / "a", inner):
        place.mkdir(exist_ok=True)
        (place / problem.question.name).write_text("")
        assert locate(problem, root) == place / problem.question.name


def test_in_a_checkout_the_stub_is_the_learners_file(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny.write(tmp_path / "checkout")
    problem = track.find(tmp_path / "checkout", "7")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    (tmp_path / "checkout" / "pyproject.toml").write_text("")
    assert locate(problem, tmp_path / "checkout") == problem.question


def test_paths_are_shown_short_and_harmless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert shown(tmp_path / "sub" / "a.py") == "sub/a.py"
    assert shown(Path("a.py")) == "a.py"
    assert shown(Path("/elsewhere/a.py")) == "/elsewhere/a.py"
    assert shown(Path("a\0b")) == "a␀b"
    assert shown(Path("\x1b[31m\udcff.py")) == "␛[31m\\udcff.py"


def test_a_submission_carries_what_is_wrong_with_it(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    problem = track.find(root, "7")
    (tmp_path / "mine.py").write_text("x = 1\n")
    made = submission(problem, "mine.py", root)
    assert (made.path, made.source, made.refused, made.student) == ("mine.py", b"x = 1\n", None, None)
    odd = submission(problem, "no\x1b\udcff.py", root)
    assert odd.refused is not None
    assert (odd.refused.kind, odd.refused.message) == ("missing_file", "there is no file no␛\\udcff.py")


def test_from_a_folder_that_is_gone(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(KataError, match=r"No 07_double_and_shift\.py here"):
        locate(track.find(root, "7"), root)
    assert shown(Path("/a.py")) == "/a.py"
