"""Our own faults are one sentence, and their traceback is in a file."""

import re
import tempfile
from pathlib import Path

import pytest

from kata.errors import OwnFault
from kata.fault import saved


def raised(fault: Exception) -> Exception:
    try:
        raise fault
    except Exception as caught:
        return caught


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (ValueError("odd"), "odd"),
        (KeyError(), "KeyError"),
        (OwnFault("the judge's process ended unexpectedly: killed\nTraceback …\nMemoryError: all"), "MemoryError: all"),
        (RuntimeError("x" * 500), "x" * 200),
    ],
)
def test_a_fault_is_saved_and_said(fault: Exception, why: str, folder: Path) -> None:
    text = saved(raised(fault))
    [file] = folder.iterdir()
    assert text == (
        f"This is our own fault, not yours ({why}). The traceback is in {file}; please send it to kata's authors."
    )
    assert re.fullmatch(r"kata-fault-\w+\.txt", file.name)
    assert "Traceback (most recent call last)" in file.read_text()
    if isinstance(fault, OwnFault):
        assert file.read_text().startswith(str(fault))


def test_where_nothing_can_be_saved(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "nowhere"))
    assert saved(ValueError("odd")) == "This is our own fault, not yours (odd). Its traceback could not be saved."
