"""The commands of the learner's day, as programs: what they print for machines, and how they refuse."""

import json
from pathlib import Path

import pytest

from kata import progress
from kata.progress import Entry
from kata.workspace import Workspace
from tests import day


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, Path]:
    """A workspace with one problem passed after its solution was seen."""
    home, root = day.made(tmp_path_factory.mktemp("commands"))
    entry = Entry(tries=2, best=8, of=8, passed="then", passed_version=5, solution_seen="before", gave_up=True)
    progress.change(home, day.problem(root), lambda _: entry)
    return home, root


def test_list_as_json(made: tuple[Workspace, Path]) -> None:
    """Every field of every problem, defaults as well."""
    home, root = made
    seven, eight = day.told("list", cwd=home.root, root=root)
    assert seven == {
        "number": 7,
        "slug": "double_and_shift",
        "title": "Double and shift",
        "section": "Testing",
        "level": 1,
        "after": [],
        "state": "passed",
        "passed": "then",
        "tries": 2,
        "best": 8.0,
        "of": 8.0,
        "hints": 0,
        "solution_seen": True,
        "gave_up": True,
        "quiz": {"best": 0, "of": 0, "taken": 0},
        "outdated": False,
    }
    assert eight["state"] == "untouched" and eight.keys() == seven.keys()


def test_progress_and_next_as_json(made: tuple[Workspace, Path]) -> None:
    """The same facts, summed; and the one that is next, from any folder inside."""
    home, root = made
    told = day.told("progress", cwd=home.root / "problems", root=root)
    assert (told["problems"], told["passed"], told["complete"], told["tries"]) == (2, 1, 0, 2)
    assert day.told("next", cwd=home.root / "problems", root=root)["number"] == 8


def test_when_everything_is_passed(tmp_path: Path) -> None:
    """There is no next problem: null, and a sentence."""
    home, root = day.made(tmp_path)
    for file in ("double_and_shift", "triple"):
        raw = json.loads((home.records / progress.FILE).read_text()) if (home.records / progress.FILE).exists() else {}
        raw.setdefault("problems", {})[file] = {"passed": "then", "passed_version": 5}
        (home.records / progress.FILE).write_text(json.dumps(raw))
    assert day.told("next", cwd=home.root, root=root) is None
    assert "Every problem is passed" in day.kata("next", cwd=home.root, root=root).stdout
    assert "Every problem is passed" in day.kata("watch", cwd=home.root, root=root).stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("hint", "7"), "A folder of your own: `kata init mine`"),
        (("solution", "7"), "Show it anyway: `kata solution 7 --give-up`"),
        (("diff", "7", "--give-up"), "A folder of your own: `kata init mine`"),
        (("reset", "7"), "A folder of your own: `kata init mine`"),
        (("update",), "A folder of your own: `kata init mine`"),
        (("watch", "7"), "A folder of your own: `kata init mine`"),
        (("grade", "7"), "Or name your file: `kata grade 7 FILE`"),
        (("grade", "--all", "7"), "Leave out 7, or leave out --all"),
        (("grade", "--all", "mine.py"), "Leave out mine.py, or leave out --all"),
        (("show", "99"), "`kata list` shows all 2"),
        (("show", "doubel"), "Did you mean 7 double_and_shift?"),
        (("quiz", "t"), "There is no problem “t”"),
        (("quiz", "amount"), "may mean 7 double_and_shift, 8 triple"),
        (("grdae", "7"), "Did you mean kata grade?"),
        (("completion", "tcsh"), "is not one of"),
    ],
)
def test_refusals_have_the_command_that_mends_them(tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
    """Outside a workspace, with a wrong number, a wrong name."""
    done = day.kata(*words, cwd=tmp_path, root=day.two_problems(tmp_path / "track"))
    assert done.returncode == 2 and sentence in " ".join(done.stderr.split()), done.stderr
    assert done.stdout == "" and "Traceback" not in done.stderr


def test_a_quiz_outside_a_workspace_keeps_no_score(tmp_path: Path) -> None:
    """It can be taken all the same; half a quiz is none."""
    root = day.two_problems(tmp_path / "track")
    done = day.kata("quiz", "7", cwd=tmp_path, root=root, input="A\n")
    assert done.returncode == 0 and "1 right" in done.stdout and "no score is kept" in done.stdout
    done = day.kata("quiz", "7", cwd=tmp_path, root=root, input="")
    assert done.returncode == 2 and "ended before the questions" in done.stderr


def test_an_installation_without_problems_says_how_to_mend_it(tmp_path: Path) -> None:
    """Shelves that are empty."""
    for shelf in ("problems", "solutions", "grader"):
        (tmp_path / shelf).mkdir()
    done = day.kata("list", cwd=tmp_path, root=tmp_path)
    assert done.returncode == 2 and "Mend the installation: `pip install --force-reinstall" in " ".join(
        done.stderr.split()
    )


def test_list_imports_neither_torch_nor_rich_s_cousins(made: tuple[Workspace, Path]) -> None:
    """What answers at once stays so: torch, watchfiles, filelock and nbformat are for those who need them."""
    import subprocess
    import sys

    home, root = made
    code = (
        "import sys; from kata.__main__ import run; run(['next'])\n"
        "print([m for m in ('torch', 'watchfiles', 'filelock', 'nbformat', 'numpy') if m in sys.modules])"
    )
    order = [sys.executable, "-c", code]
    done = subprocess.run(order, cwd=home.root, env=day.environment(root), capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")


def test_a_grade_is_recorded_and_its_words_unchanged(tmp_path: Path) -> None:
    """grade counts a try, --only none, another's file none."""
    home, root = day.made(tmp_path)
    (home.root / "problems" / "07_double_and_shift.py").write_text(day.MINUS)
    (tmp_path / "other.py").write_text(day.RIGHT)
    for words in (("7", "--only", "gradient"), ("7", "../other.py")):
        day.kata("grade", *words, cwd=home.root, root=root)
    assert day.entry(home, root).tries == 0
    assert day.kata("grade", "7", cwd=home.root, root=root).returncode == 1
    assert day.entry(home, root).tries == 1 and day.entry(home, root).best == 4


def test_what_follows_a_pass(tmp_path: Path) -> None:
    """The worked answer, the difference, the quiz, and the problem that `kata next` names; else why none is."""
    home, root = day.made(tmp_path)
    (home.root / "problems" / "07_double_and_shift.py").write_text(day.RIGHT)
    (tmp_path / "other.py").write_text(day.RIGHT)
    steps = day.kata("grade", "7", cwd=home.root, root=root).stdout.split("well made.")[1].splitlines()
    assert [line.split("  ")[2] for line in steps[1:]] == [
        f"kata {w}" for w in ("solution 7", "diff 7", "quiz 7", "watch 8")
    ]
    told = day.kata("grade", "7", "../other.py", cwd=home.root, root=root).stdout
    assert "Not recorded, since the file is in no workspace" in told and "kata solution" not in told


def test_a_hint_after_a_pass_offers_the_worked_answer_as_it_is(made: tuple[Workspace, Path]) -> None:
    """Nobody who has passed gives up."""
    home, root = made
    shown = [day.kata("hint", "7", cwd=home.root, root=root).stdout for _ in range(4)]
    assert "no further hint" in shown[3]
    for text in shown[2:]:
        assert "kata solution 7 " in text and "--give-up" not in text


def test_giving_up_outside_a_workspace(tmp_path: Path) -> None:
    """The worked answer is shown, and so is the difference of a file that is named; nothing is recorded."""
    root = day.two_problems(tmp_path / "track")
    (tmp_path / "mine.py").write_text(day.MINUS)
    done = day.kata("solution", "7", "--give-up", cwd=tmp_path, root=root)
    assert done.returncode == 0 and "return 2 * x + amount" in done.stdout
    done = day.kata("diff", "7", "mine.py", "--give-up", cwd=tmp_path, root=root)
    assert done.returncode == 0 and "-    return 2 * x - amount" in done.stdout
    assert not (tmp_path / ".kata").exists() and not (root / ".kata").exists()


def test_which_workspace_is_used_outside_of_every_one(tmp_path: Path) -> None:
    """In a checkout the repository's own, and that is said on stderr; inside one nothing is."""
    root = day.two_problems(tmp_path / "track")
    (root / "pyproject.toml").touch()
    for words in (("list",), ("next", "--json"), ("show", "7"), ("grade", "7"), ("hint", "7"), ("reset", "7")):
        done = day.kata(*words, cwd=tmp_path, root=root)
        assert f"You are in no workspace, so the one in kata's own repository is used: {root}." in done.stderr, words
        assert "`kata init mine`" in done.stderr
    (tmp_path / "07_double_and_shift.py").write_text(day.RIGHT)
    for words in (("7", "07_double_and_shift.py"), ("7",)):  # that file is graded, and none of the repository's
        assert day.kata("grade", *words, cwd=tmp_path, root=root).stderr == ""
    assert day.kata("list", cwd=root / "problems", root=root).stderr == ""
    assert day.kata("init", "mine", cwd=tmp_path, root=root).stderr == ""
    assert day.kata("list", cwd=tmp_path / "mine", root=root).stderr == ""


def test_every_problem_at_once(tmp_path: Path) -> None:
    """A fresh workspace, a problem whose file is gone, an array of reports even for one problem."""
    home, root = day.made(tmp_path)
    done = day.kata("grade", "--all", cwd=home.root, root=root)
    assert done.returncode == 1 and "0 of 2 passed, 2 not written yet" in done.stdout and done.stderr == ""
    (home.root / "problems" / "08_triple.py").unlink()
    (home.root / "problems" / "07_double_and_shift.py").write_text(day.RIGHT)
    done = day.kata("grade", "--all", cwd=home.root, root=root)
    assert done.returncode == 2 and "1 of 2 passed" in done.stdout and "missing file" in done.stdout
    assert [told["passed"] for told in day.told("grade", "--all", cwd=home.root, root=root)] == [True, False]
    for shelf in ("problems", "solutions", "grader"):
        (root / shelf / "08_triple.py").unlink()
    assert [told["passed"] for told in day.told("grade", "--all", cwd=home.root, root=root)] == [True]
    assert "1 of 1 passed · 8/8 points" in day.kata("grade", "--all", cwd=home.root, root=root).stdout
