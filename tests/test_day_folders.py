"""A learner's folder over time: whatever is done to it, no line of the learner's is lost."""

import os
from pathlib import Path

import pytest

from kata import folders, pristine, track, workspace
from kata.errors import KataError
from tests import day, tiny

NAME = "07_double_and_shift.py"


def test_init_makes_a_folder_with_every_problem(tmp_path: Path) -> None:
    """Stubs, a README, a .gitignore; found again from any folder inside."""
    home, root = day.made(tmp_path)
    assert sorted(path.name for path in home.root.iterdir()) == [".gitignore", ".kata", "README.md", "problems"]
    assert (home.root / "problems" / NAME).read_bytes() == (root / "problems" / NAME).read_bytes()
    assert f"    kata grade 7 --track {root}   what is right" in (home.root / "README.md").read_text()


def test_a_workspace_is_found_from_any_folder_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deep inside it is the same workspace; outside there is none, and the sentence says how to make one."""
    home, root = day.made(tmp_path)
    deep = home.root / "notes" / "more"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert workspace.needed(root) == home
    assert workspace.locate(day.problem(root), root) == home.root / "problems" / NAME
    monkeypatch.chdir(tmp_path)
    with pytest.raises(KataError, match="kata init mine"):
        workspace.needed(root)


def test_init_keeps_what_is_there(tmp_path: Path) -> None:
    """A folder with answers and a README of one's own is completed, not overwritten."""
    root = day.two_problems(tmp_path / "track")
    problems = tmp_path / "home" / "problems"
    problems.mkdir(parents=True)
    (problems / NAME).write_text(day.RIGHT)
    (tmp_path / "home" / "README.md").write_text("mine")
    home, new = folders.init(tmp_path / "home", root)
    assert new == 1 and (problems / NAME).read_text() == day.RIGHT
    assert (home.root / "README.md").read_text() == "mine"
    assert folders.init(tmp_path / "home", root)[1] == 0


def test_the_checkout_is_a_workspace_already(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """init in it and update of it are refused with what to do instead."""
    root = day.two_problems(tmp_path)
    (root / "pyproject.toml").touch()
    with pytest.raises(KataError, match="workspace already"):
        folders.init(root, root)
    monkeypatch.chdir(root)
    with pytest.raises(KataError, match="git pull"):
        folders.update(workspace.needed(root), root)


def test_reset_keeps_the_old_file_and_restore_brings_it_back(tmp_path: Path) -> None:
    """Three resets keep three files; restoring walks back through them, and loses nothing either."""
    home, root = day.made(tmp_path)
    problem, file = day.problem(root), home.root / "problems" / NAME
    stub = file.read_text()
    assert folders.reset(home, problem) is None
    for text in ("one", "two", "three"):
        file.write_text(text)
        aside = folders.reset(home, problem)
        assert aside is not None and aside.read_text() == text and file.read_text() == stub
    assert folders.restore(home, problem)[1] is None and file.read_text() == "three"
    file.write_text("three and more")
    _, aside = folders.restore(home, problem)
    assert file.read_text() == "two" and aside is not None and aside.read_text() == "three and more"
    assert {path.read_text() for path in folders.kept(file)} == {"one", "three and more"}
    folders.restore(home, problem), folders.restore(home, problem)
    assert {path.read_text() for path in folders.kept(file)} | {file.read_text()} >= {"one", "two", "three and more"}


def test_restore_without_a_reset_says_so(tmp_path: Path) -> None:
    """There is nothing to bring back."""
    home, root = day.made(tmp_path)
    with pytest.raises(KataError, match="nothing was ever reset"):
        folders.restore(home, day.problem(root))


def test_a_deleted_answer_is_brought_by_reset_and_update(tmp_path: Path) -> None:
    """A missing file comes back as a stub."""
    home, root = day.made(tmp_path)
    file = home.root / "problems" / NAME
    stub = file.read_bytes()
    file.unlink()
    assert folders.reset(home, day.problem(root)) is None and file.read_bytes() == stub
    file.unlink()
    assert folders.update(home, root) == {NAME: "new"} and file.read_bytes() == stub


def test_a_linked_answer_is_kept_too(tmp_path: Path) -> None:
    """Where problems/ holds a link, what it points to is kept before it is changed."""
    home, root = day.made(tmp_path)
    file, real = home.root / "problems" / NAME, tmp_path / "real.py"
    real.write_text("mine")
    file.unlink()
    file.symlink_to(real)
    aside = folders.reset(home, day.problem(root))
    assert aside is not None and aside.read_text() == "mine" and not aside.is_symlink()


def test_a_folder_in_the_answer_s_place_is_left_alone(tmp_path: Path) -> None:
    """What is no file is said to be none."""
    home, root = day.made(tmp_path)
    file = home.root / "problems" / NAME
    file.unlink()
    file.mkdir()
    (file / "x").touch()
    with pytest.raises(KataError, match="is a folder"):
        folders.reset(home, day.problem(root))
    assert (file / "x").exists()


def test_without_hard_links_a_copy_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """File systems that know no second name for a file get a copy."""
    home, root = day.made(tmp_path)
    file = home.root / "problems" / NAME
    file.write_text("mine")

    def refused(*args: object, **kwargs: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", refused)
    aside = folders.reset(home, day.problem(root))
    assert aside is not None and aside.read_text() == "mine"


def _corrected(root: Path, code: str = "") -> None:
    """The track's first stub with another statement, and perhaps other code."""
    text = tiny.QUESTION.replace("Twice the input, plus an amount.", "Twice the input, plus a given amount.")
    tiny.write(root, question=text + code)


def test_update_brings_statements_and_leaves_code_alone(tmp_path: Path) -> None:
    """An untouched stub is replaced, an answer gets the new statement only, byte for byte the same code."""
    home, root = day.made(tmp_path)
    file = home.root / "problems" / NAME
    old = file.read_text()
    mine = old.replace("    raise NotImplementedError", "    return 2 * x  +amount   # ünïcode, oddly spaced\r\n")
    _corrected(root)
    assert folders.update(home, root) == {NAME: "updated"}
    assert file.read_bytes() == (root / "problems" / NAME).read_bytes()
    assert folders.update(home, root) == {}
    tiny.write(root)
    folders.update(home, root)
    file.write_bytes(mine.encode())
    _corrected(root)
    assert folders.update(home, root) == {NAME: "statement"}
    assert file.read_bytes() == mine.replace("plus an amount", "plus a given amount").encode()
    assert folders.kept(file)[0].read_bytes() == mine.encode()
    assert folders.update(home, root) == {}


def test_update_leaves_a_statement_that_was_edited(tmp_path: Path) -> None:
    """Notes in the docstring are the learner's: the file stays, and that is said once."""
    home, root = day.made(tmp_path)
    file = home.root / "problems" / NAME
    file.write_text(file.read_text().replace("Twice", "NOTE TO MYSELF: Twice"))
    mine = file.read_bytes()
    _corrected(root)
    assert folders.update(home, root) == {NAME: "yours"} and file.read_bytes() == mine
    assert folders.update(home, root) == {}


@pytest.mark.parametrize("mine", ["", "def (", "x = 1\n", "\ufeff# nothing\n"])
def test_update_leaves_odd_answers(tmp_path: Path, mine: str) -> None:
    """No docstring, no Python: nothing to replace, nothing touched."""
    home, root = day.made(tmp_path)
    file = home.root / "problems" / NAME
    file.write_text(mine)
    _corrected(root)
    assert folders.update(home, root) == {NAME: "yours"} and file.read_text() == mine


def test_update_brings_a_changed_stub_to_those_who_did_not_begin(tmp_path: Path) -> None:
    """A signature that changed reaches untouched stubs even where the statement is the same."""
    home, root = day.made(tmp_path)
    tiny.write(root, question=tiny.QUESTION.replace("amount: float)", "amount: float = 0.0)"))
    assert folders.update(home, root) == {NAME: "updated"}
    assert "= 0.0" in (home.root / "problems" / NAME).read_text()


def test_in_a_checkout_git_knows_the_stub(tmp_path: Path) -> None:
    """An answer in the repository's problems/, however broken, changes neither statement nor functions nor reset."""
    import subprocess

    root = day.two_problems(tmp_path)
    (root / "pyproject.toml").touch()
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    for words in (["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", "x"]):
        subprocess.run(["git", "-C", str(root), *words], check=True)
    file = root / "problems" / NAME
    stub = file.read_text()
    for mine in (
        "def (",
        "x = 1",
        stub.replace("raise NotImplementedError", "return x") + "\ndef helper(y): return y\n",
    ):
        pristine._committed.cache_clear()
        file.write_text(mine)
        problem = track.find(root, "7")
        assert problem.functions == ("double_and_shift",) and "Twice the input" in problem.statement
        aside = folders.reset(workspace.Workspace(root, checkout=True), problem)
        assert file.read_text() == stub and aside is not None and aside.read_text() == mine
    edited = stub.replace("Twice", "Two times")  # its author at work: the function is unwritten
    file.write_text(edited)
    assert "Two times the input" in track.find(root, "7").statement
