"""Finding a track and its problems; reading them without running them; loading a grader."""

from pathlib import Path

import pytest

from kata import track
from kata.errors import KataError
from kata.model import Limits
from tests import tiny


@pytest.fixture
def shelves(tmp_path: Path) -> Path:
    tiny.write(tmp_path, "07_double_and_shift")
    tiny.write(tmp_path, "12_double_twice")
    tiny.write(tmp_path, "29_rotary")
    return tmp_path


def said(action: object, *args: object) -> str:
    with pytest.raises(KataError) as wrong:
        action(*args)  # type: ignore[operator]
    return str(wrong.value)


def test_a_problem_as_its_files_tell(shelves: Path) -> None:
    problem = track.find(shelves, "7")
    assert (problem.number, problem.slug, problem.name) == (7, "double_and_shift", "07_double_and_shift")
    assert problem.title == "Double and shift"
    assert problem.statement.startswith("Twice the input") and problem.statement.endswith("`ValueError`.")
    assert problem.functions == ("double_and_shift",)
    assert (problem.section, problem.level, problem.after, problem.version) == ("Testing", 1, (3,), 5)
    assert problem.limits == Limits(cpu_seconds=2, memory_mib=512)
    assert track.parameters(problem) == {"double_and_shift": ["x", "amount"]}


@pytest.mark.parametrize(
    "word", ["7", "07", "007", "double_and_shift", "double-and-shift", "Double_And_Shift", "and_sh"]
)
def test_words_that_find_it(shelves: Path, word: str) -> None:
    assert track.find(shelves, word).number == 7


@pytest.mark.parametrize("word", ["07_double_and_shift", "07_double_and_shift.py", "7_double_and_shift"])
def test_file_names_find_it_too(shelves: Path, word: str) -> None:
    assert track.find(shelves, word).number == 7


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("8", "There is no problem “8”. `kata list` shows all 3."),
        ("", "There is no problem “”. `kata list` shows all 3."),
        ("²", "There is no problem “²”. `kata list` shows all 3."),
        ("-1", "There is no problem “-1”. `kata list` shows all 3."),
        ("rotery", "There is no problem “rotery”. Did you mean 29 rotary? `kata list` shows all 3."),
        ("double", "“double” may mean 7 double_and_shift, 12 double_twice. Say which by its number."),
    ],
)
def test_words_that_do_not(shelves: Path, word: str, text: str) -> None:
    assert said(track.find, shelves, word) == text.replace("`kata list`", f"`kata list --track {shelves}`")


def test_problems_come_in_order_and_strangers_are_left_alone(shelves: Path) -> None:
    for name in ("README.md", "helper.py", "x_1.py", "1²_odd.py", "100.py"):
        (shelves / "problems" / name).write_text("")
    assert [p.number for p in track.problems(shelves)] == [7, 12, 29]


def test_the_track_that_is_asked_for(shelves: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KATA_TRACK", raising=False)
    assert track.find_root(None) == track.default_root()
    assert track.find_root(str(shelves)) == shelves.resolve()
    monkeypatch.setenv("KATA_TRACK", str(shelves))
    assert track.find_root(None) == shelves.resolve()
    assert track.find_root(str(track.default_root())) == track.default_root()
    monkeypatch.chdir(shelves)
    monkeypatch.delenv("KATA_TRACK")
    assert track.find_root(None) == track.default_root()  # never found from the current folder
    (tmp_path / "empty").mkdir()
    assert said(track.find_root, str(tmp_path / "empty")) == (
        f"{tmp_path / 'empty'} is not a track: it has no folder problems and no folder solutions and no folder grader. "
        "A track holds the three folders problems/, solutions/ and grader/."
    )


def grader_file(shelves: Path, text: str) -> Path:
    path = shelves / "grader" / "07_double_and_shift.py"
    path.write_text(text)
    return path


def test_the_head_is_read_without_being_run(shelves: Path) -> None:
    path = grader_file(
        shelves, '"""Doc."""\n# note\nSECTION = "A"\nAFTER = (\n    1,\n    2,\n)\n\nimport nonesuch\nLEVEL = 1/0\n('
    )
    assert track.head(path) == {"SECTION": "A", "AFTER": (1, 2)}


@pytest.mark.parametrize(
    ("text", "said_text"),
    [
        ("LIMITS = {'cpu': 3}\n", "LIMITS in {path} is not understood: Object contains unknown field `cpu`"),
        ("LIMITS = {'cpu_seconds': 'x'}\n", "LIMITS in {path} is not understood: Expected `float`, got `str`"),
        ("x = 1\nLEVEL = 1 + x\n", "{path}, line 2: LEVEL = 1 + x is no literal; the head is read without being run"),
        ("SECTION = 'a\n", "{path}"),
        ("SECTION = (\n", "{path}"),
    ],
)
def test_a_head_that_is_not_understood(shelves: Path, text: str, said_text: str) -> None:
    path = grader_file(shelves, text)
    assert said(track.find, shelves, "7").startswith(said_text.format(path=path))


def test_a_problem_without_a_grader(shelves: Path) -> None:
    path = shelves / "grader" / "07_double_and_shift.py"
    path.unlink()
    text = f"{path} can't be read: No such file or directory. Every problem has a file of that name."
    assert said(track.find, shelves, "7") == text


def test_a_stub_that_is_not_python(shelves: Path) -> None:
    path = shelves / "problems" / "07_double_and_shift.py"
    path.write_text("def f(:\n")
    assert said(track.find, shelves, "7") == f"{path}, line 1: invalid syntax. Mend the track's file and try again."


def test_a_loaded_grader(shelves: Path) -> None:
    grader = tiny.grader(shelves)
    assert [c.name for c in grader.checks][:2] == ["keeps_the_shape", "values"]
    assert [m.name for m in grader.mistakes][-3:] == ["always_float32", "in_place", "first_call_only"]
    assert [a.name for a in grader.accepted] == ["added"]
    assert len(grader.hints) == 4 and grader.hints[3].answers == ("minus",)
    assert [len(q.choices) for q in grader.quiz] == [2]
    assert set(grader.references) == {"double_and_shift"}


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ("\n1 / 0\n", "{path}, line {line}: ZeroDivisionError: division by zero"),
        ("\ndel reference\n", "{path} gives no reference for double_and_shift"),
        ("\nMORE = [mistake('minus', 'Again.')]\n", "{path} has more than one mistake named minus"),
    ],
)
def test_a_grader_that_is_broken(shelves: Path, more: str, text: str) -> None:
    path = shelves / "grader" / "07_double_and_shift.py"
    path.write_text(path.read_text() + more)
    line = len(path.read_text().splitlines())
    assert said(tiny.grader, shelves) == text.format(path=path, line=line)
