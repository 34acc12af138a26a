"""What this machine can do, said without importing torch."""

import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from kata import doctor
from kata.doctor import Fact, examine
from tests import day

NO_NOTEBOOKS = "can't be graded: nbformat, which comes with kata, is gone; pip install nbformat"


def facts(root: Path) -> dict[str, Fact]:
    return {fact.name: fact for fact in examine(root)}


def test_this_machine(root: Path) -> None:
    told = facts(root)
    assert list(told) == [
        *("kata", "python", "torch", "notebooks", "track", "workspace", "processes", "sandbox", "machine"),
    ]
    assert told["python"].good and sys.executable in told["python"].text
    assert told["track"] == Fact("track", f"1 problems in {root}", True)
    assert told["torch"].good and told["torch"].text.endswith(" is installed")
    assert told["notebooks"].good and "nbformat" in told["notebooks"].text
    assert told["sandbox"].text.startswith("level ")


def test_an_empty_track_is_not_as_it_should_be(tmp_path: Path) -> None:
    assert not facts(tmp_path)["track"].good


@pytest.mark.parametrize(
    ("version", "good", "text"),
    [
        ("2.13.0+cpu", True, "2.13.0+cpu"),
        ("2.14.0a0+git1", True, "2.14.0a0"),
        ("3.0", True, "3.0"),
        ("2.12.1", False, "older than 2.13"),
        ("2.9", False, "older than 2.13"),
    ],
)
def test_versions_of_torch(root: Path, monkeypatch: pytest.MonkeyPatch, version: str, good: bool, text: str) -> None:
    monkeypatch.setattr(doctor, "version", lambda name: version)
    told = facts(root)["torch"]
    assert told.good is good and text in told.text


def test_no_torch_at_all(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(doctor, "version", missing)
    told = facts(root)["torch"]
    assert not told.good
    assert facts(root)["notebooks"] == Fact("notebooks", NO_NOTEBOOKS)
    assert told.text.startswith(f"PyTorch can't be imported by {sys.executable}") and "pip install" in told.text


def test_where_there_is_no_fork(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KATA_START", "spawn")
    told = facts(root)
    assert told["processes"].text == "no fork here: every process imports PyTorch anew, which takes longer"
    assert told["sandbox"].text.startswith("level process: processes can't be forked here")


def test_the_workspace_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which one it is, and how to make one where there is none."""
    home, root = day.made(tmp_path)
    monkeypatch.chdir(home.root / "problems")
    assert facts(root)["workspace"].text.startswith(f"{home.root}, with what you did in ")
    monkeypatch.chdir(tmp_path)
    assert facts(root)["workspace"].text.startswith("You are in no workspace, so nothing is recorded.")
    (root / "pyproject.toml").touch()
    assert f"kata's own repository is used: {root}." in facts(root)["workspace"].text
