"""A file that answers no problem is told by what it is, what was looked for, and what to do."""

from pathlib import Path

import pytest

from kata import track
from kata.classroom import strangers
from kata.classroom.answers import choose
from kata.classroom.entries import Entry
from kata.classroom.layouts import Owned
from kata.classroom.model import Note
from kata.model import Problem
from tests.test_notebook import written

LOOKED = "Looked for, as a number in its name or a function in it: 7 or double_and_shift. If it is an answer, "
LOOKED += "rename it (as in 07_double_and_shift.py), or its function, and run the same command again"
NEAR = "defines doubled_and_shift, which is near double_and_shift and not the same"


@pytest.fixture
def problem(root: Path) -> Problem:
    return track.find(root, "7")


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.py", b"def shift(x): ...\nclass Model: ...\n", "defines shift, Model"),
        ("a.py", b"x = 1\n", "defines no function"),
        ("a.py", b"\xff\xfe\x00", "defines no function"),
        ("a.py", b"def doubled_and_shift(x): ...\n", NEAR),
        ("a.py", b"def double_and_shift(x): ...\n", "defines double_and_shift, for which another file was taken"),
        ("a.py", b"".join(b"def f%d(): ...\n" % n for n in range(9)), "defines f0, f1, f2, f3, …"),
        ("a.ipynb", written("def shift(x): ..."), "defines shift"),
        ("a.ipynb", b"{", "a.ipynb is not a whole notebook: Expecting property name"),
        ("a.py", "def bad\u202e\x1b(): ...\n".encode(), "defines bad"),
    ],
)
def test_what_it_is(problem: Problem, name: str, data: bytes, said: str) -> None:
    told = strangers.described(name, data, [problem])
    assert told.startswith(said) and told.endswith(LOOKED) and "\x1b" not in told


def test_many_problems_are_cut(problem: Problem) -> None:
    assert strangers.looked_for([problem] * 10).endswith("; and 2 more")


def test_a_file_beside_the_one_that_was_taken(problem: Problem) -> None:
    taken = Entry(("ana", "07.py"), lambda: b"def double_and_shift(x, amount): ...")
    other = Entry(("ana", "tries.py"), lambda: b"def double_and_shift(x): ...")
    owned = [Owned("ana", ("ana",), entry.parts[1:], entry) for entry in (taken, other)]
    (note,) = [each for each in choose(owned, {7: problem}) if isinstance(each, Note)]
    assert (note.kind, note.path) == ("ignored", "ana/tries.py") and "another file was taken" in note.text
