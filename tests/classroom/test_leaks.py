"""Answers that try to carry a check's input out, through what their authors are told."""

from pathlib import Path

import pytest

from kata.classroom import out
from kata.classroom.desk import Desk
from tests.classroom.people import class_folder, hand_in

IN_WORDS = b"""
W = ["zerod", "oned", "twod", "threed", "fourd", "fived", "sixd", "sevend", "eightd", "nined"]

def double_and_shift(x, amount):
    digits = [c for c in str(x.flatten().tolist()) if c.isdigit()]
    raise ValueError(" ".join(W[int(c)] for c in digits[:9]))
"""
AS_ERROR_OF_THE_FILE = b"""
import sys

def double_and_shift(x, amount):
    told, frame = f"spelled {x.flatten().tolist()}", sys._getframe()
    while frame:
        names = frame.f_globals
        if "Refused" in names and "load" in names:
            def forged(*_):
                raise names["Refused"](names["Error"]("KIND", told, 77031415))
            names["load"] = forged
            break
        frame = frame.f_back
    return x
"""
SPIES = {
    "in words": (IN_WORDS, "ned "),
    **{
        kind: (AS_ERROR_OF_THE_FILE.replace(b"KIND", kind.encode()), "spelled")
        for kind in ("syntax", "not_python", "not_written", "missing_function", "signature", "import")
    },
}


@pytest.mark.parametrize("spy", SPIES)
def test_no_input_gets_out_through_feedback(tmp_path: Path, spy: str) -> None:
    """The gradebook has it, so that the attempt is a real one; the student's files don't."""
    source, word = SPIES[spy]
    with Desk(str(class_folder(tmp_path))) as at:
        asked = at.room.assignment(None)
        at.take(hand_in(tmp_path / "in", ana=source), asked, None, None)
        list(at.grade(asked, "process", 1))
        assert word in repr(at.marks()[0].attempt)
        for format in ("feedback", "gradescope"):
            for path in out.export(at, format, asked, tmp_path / format, None, "").paths:
                text = path.read_text("utf-8")
                told = [line for line in text.splitlines() if "line " not in line]  # their own lines are theirs
                assert not any(word in line for line in told) and "77031415" not in text
