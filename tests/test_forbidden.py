"""What a FORBIDS means."""

from pathlib import Path

import pytest

from kata import forbidden, track
from kata.errors import KataError
from tests import tiny


def test_a_word_stands_for_a_set(tmp_path: Path) -> None:
    assert forbidden.names("attention", tmp_path) is forbidden.ATTENTION
    assert forbidden.names(["torch.exp", "torch.nn"], tmp_path) == ("torch.exp", "torch.nn")
    assert forbidden.names((), tmp_path) == ()


def test_an_unknown_word_is_refused_with_the_file_that_holds_it(tmp_path: Path) -> None:
    root = tiny.write(tmp_path)
    grader = root / "grader" / f"{tiny.NAME}.py"
    grader.write_text(grader.read_text("utf-8").replace("FORBIDS = ()", 'FORBIDS = "attention"'), "utf-8")
    assert track.find(root, "7").forbids == forbidden.ATTENTION
    grader.write_text(grader.read_text("utf-8").replace('"attention"', '"atention"'), "utf-8")
    with pytest.raises(
        KataError, match=r"07_double_and_shift\.py: FORBIDS = “atention” is no set of names; it may be attention"
    ):
        track.find(root, "7")
