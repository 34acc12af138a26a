"""Which file answers which problem: never by a coin."""

from pathlib import Path

import pytest

from kata import track
from kata.classroom import answers
from kata.classroom.answers import File, choose, defines, read
from kata.classroom.entries import Entry
from kata.classroom.layouts import Owned
from kata.classroom.model import Answer, Note
from kata.model import Problem
from kata.workspace import Unreadable
from tests.test_notebook import written

DEF = b"import torch\n\n\ndef double_and_shift(x, amount):\n    return 2 * x + amount\n"


@pytest.fixture
def problems(root: Path) -> dict[int, Problem]:
    return {7: track.find(root, "7")}


def chosen(problems: dict[int, Problem], **files: bytes) -> tuple[list[str], list[str]]:
    """The paths that are taken, and the kinds of notes; `__` in a name is a slash, `_py` its ending."""
    owned = []
    for name, data in files.items():
        parts = tuple(name.replace("_py", ".py").replace("_nb", ".ipynb").split("__"))
        owned.append(Owned("ana", ("ana",), parts, Entry(("ana", *parts), lambda data=data: data)))  # type: ignore[misc]
    found = list(choose(owned, problems))
    return [f.path for f in found if isinstance(f, Answer)], [f.kind for f in found if isinstance(f, Note)]


@pytest.mark.parametrize(
    "name", ["07_double_and_shift_py", "7_py", "double_and_shift_py", "p7_final_py", "problem_7_py"]
)
def test_a_name_that_says_which(problems: dict[int, Problem], name: str) -> None:
    assert chosen(problems, **{name: b"x", "other_py": DEF})[0] == [name.replace("_py", ".py")]


@pytest.mark.parametrize(("cap", "most"), [("FILES", 2), ("BYTES", 2 * len(DEF) - 1)])
def test_of_too_many_files_those_of_the_right_name_are_read(
    problems: dict[int, Problem], monkeypatch: pytest.MonkeyPatch, cap: str, most: int
) -> None:
    monkeypatch.setattr(answers, cap, most)
    many = {f"a{n}_py": b"#".ljust(len(DEF)) for n in range(9)}
    taken, notes = chosen(problems, **many, **{"07_py": DEF})
    assert taken == ["07.py"] and notes == ["ignored", "refused"]
    assert chosen(problems, **{"07_py": DEF, "a_py": b"1"}) == (["07.py"], ["ignored"])


def test_a_file_that_this_machine_can_not_read_is_no_answer_of_nothing(problems: dict[int, Problem]) -> None:
    def locked() -> bytes:
        raise Unreadable("unreadable", "can't be read: Permission denied")

    (note,) = choose([Owned("ana", ("ana",), ("07.py",), Entry(("ana", "07.py"), locked))], problems)
    assert isinstance(note, Note) and note.kind == "ambiguous"
    assert (
        note.text
        == "07.py can't be read: Permission denied. Nothing of this student is taken until it can be, or is gone"
    )


def test_the_only_file_is_taken_and_said_so(problems: dict[int, Problem]) -> None:
    assert chosen(problems, homework_py=b"x = 1") == (["homework.py"], ["guessed"])


def test_what_it_defines_says_which(problems: dict[int, Problem]) -> None:
    assert chosen(problems, a_py=b"x = 1", b_py=DEF) == (["b.py"], ["guessed", "ignored"])


def test_several_candidates_are_nobodys_to_guess(problems: dict[int, Problem]) -> None:
    assert chosen(problems, a_py=DEF, b_py=DEF + b"#") == ([], ["ambiguous"])
    assert chosen(problems, x__7_py=b"1", y__7_py=b"2")[0] == []
    assert chosen(problems, x__7_py=b"same", y__7_py=b"same")[0] == ["x/7.py"]


def test_the_right_name_and_the_least_deep_go_first(problems: dict[int, Problem]) -> None:
    taken, notes = chosen(problems, **{"07_double_and_shift_py": b"1", "7 (1)_py": b"2", "old__7_py": b"3"})
    assert taken == ["07_double_and_shift.py"] and notes == ["ignored", "ignored"]


def test_one_notebook_may_answer(problems: dict[int, Problem]) -> None:
    cell = written("def double_and_shift(x, amount):\n    return x", "print('trained for an hour')")
    assert chosen(problems, all_nb=cell) == (["all.ipynb"], ["guessed"])
    assert chosen(problems, a_nb=written("x = 1"), b_nb=cell)[0] == ["b.ipynb"]
    owned = Owned("ana", ("ana",), ("all.ipynb",), Entry(("ana", "all.ipynb"), lambda: cell))
    found = [each for each in choose([owned], problems) if isinstance(each, Answer)]
    assert found[0].source == b"def double_and_shift(x, amount):\n    return x\n"


def test_a_notebook_that_defines_nothing_says_so(problems: dict[int, Problem]) -> None:
    owned = Owned("ana", ("ana",), ("07.ipynb",), Entry(("ana", "07.ipynb"), lambda: written("x = 1")))
    (found,) = choose([owned], problems)
    assert isinstance(found, Answer) and found.refused is not None and found.refused.kind == "missing_function"
    assert found.refused.message == "no code cell of 07.ipynb defines double_and_shift"


def test_what_cant_be_read_is_refused_and_not_lost(problems: dict[int, Problem]) -> None:
    big = Owned("ana", ("ana",), ("07_x.py",), Entry(("ana", "07_x.py"), lambda: b"#" * (2**20 + 1)))
    (answer,) = choose([big], problems)
    assert isinstance(answer, Answer) and answer.refused is not None and answer.refused.kind == "too_large"


def file(text: bytes, name: str = "a.py") -> File:
    return read(Owned("ana", ("ana",), (name,), Entry(("ana", name), lambda: text)))


@pytest.mark.parametrize("text", [DEF, b"double_and_shift = lambda x, a: x", b"double_and_shift: F = g\n"])
def test_defining(problems: dict[int, Problem], text: bytes) -> None:
    assert defines(file(text), problems[7])


@pytest.mark.parametrize(
    "text", [b"# def double_and_shift(", b"  def double_and_shift(x)", b"double_and_shift == 3", b""]
)
def test_not_defining(problems: dict[int, Problem], text: bytes) -> None:
    assert not defines(file(text), problems[7])
