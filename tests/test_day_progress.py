"""The record of progress: what counts as a try, what survives, and what is said when it can't be kept."""

import ctypes
import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from kata import progress, standing, workspace
from kata.errors import KataError
from kata.progress import Entry, Last
from kata.standing import Standing
from kata.zygote.launch import Engine
from tests import day


@pytest.fixture(scope="session")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A track of two problems."""
    return day.two_problems(tmp_path_factory.mktemp("two"))


def test_tries_scores_and_passes_are_kept(engine: Engine, two: Path) -> None:
    """A wrong try, the same bytes again, a right one, a worse one: best and passed stay, tries count new bytes only."""
    wrong, right = day.report(engine, two, day.MINUS), day.report(engine, two, day.RIGHT)
    one = progress.tried(Entry(7), wrong)
    assert (one.tries, one.passed, one.last.diagnoses) == (1, "", ("minus",))
    again = progress.tried(one, wrong)
    assert again.tries == 1
    passed = progress.tried(again, right)
    assert passed.tries == 2 and passed.passed and passed.craft_complete and passed.best == passed.of == 8
    later = progress.tried(passed, wrong)
    assert later.tries == 3 and later.best == 8 and later.passed == passed.passed and not later.last.passed


def test_what_is_no_try(engine: Engine, two: Path) -> None:
    """The stub, a syntax error and a part of the checks leave no trace."""
    stub = (two / "problems" / "07_double_and_shift.py").read_text()
    for text, only in ((stub, ()), ("def (", ()), (day.RIGHT, ("values",))):
        assert not progress.counts(day.report(engine, two, text, only))
    assert progress.counts(day.report(engine, two, day.RIGHT))


def test_a_fault_of_ours_is_no_try(engine: Engine, two: Path) -> None:
    """A report without a verdict is not held against anyone."""
    from kata.model import Error

    ours = replace(day.report(engine, two, day.RIGHT), error=Error("ours", "…"), passed=False)
    assert not progress.counts(ours)


def test_only_files_of_the_workspace_are_recorded(tmp_path: Path, engine: Engine) -> None:
    """A file in the learner's folder is; one elsewhere is not."""
    home, root = day.made(tmp_path)
    told, problem = day.report(engine, root, day.RIGHT), day.problem(root)
    assert progress.noted(root, problem, str(tmp_path / "elsewhere.py"), told) is False
    assert day.entry(home, root).tries == 0
    assert progress.noted(root, problem, str(home.root / "other" / "attempt.py"), told) is True
    assert day.entry(home, root).tries == 1


def test_a_checkout_keeps_no_record_of_its_own_solutions(tmp_path: Path, engine: Engine) -> None:
    """In the repository only problems/ are a learner's files."""
    root = day.two_problems(tmp_path)
    (root / "pyproject.toml").touch()
    told, problem = day.report(engine, root, day.RIGHT), day.problem(root)
    for shelf, tries in (("solutions", 0), ("grader", 0), ("problems", 1)):
        progress.noted(root, problem, str(root / shelf / problem.question.name), told)
        home = workspace.owner(root / "problems" / problem.question.name, root)
        assert home is not None and day.entry(home, root).tries == tries


def test_what_a_later_kata_wrote_stays(tmp_path: Path) -> None:
    """Fields and problems that we don't know survive our writing."""
    home, root = day.made(tmp_path)
    file = home.records / progress.FILE
    future = {
        "format": "kata.progress/9",
        "new": 1,
        "problems": {"double_and_shift": {"stars": 5}, "gone": {"tries": 3}},
    }
    file.write_text(json.dumps(future))
    progress.change(home, day.problem(root), lambda entry: replace(entry, tries=2))
    kept = json.loads(file.read_text())
    assert kept["new"] == 1 and kept["problems"]["gone"] == {"tries": 3}
    assert kept["problems"]["double_and_shift"] == {"stars": 5, "tries": 2, "number": 7}


WORDY = '{"problems": {"x": {"tries": "many"}}}'


@pytest.mark.parametrize("text", ["{", "[]", '{"problems": 3}', '{"problems": {"x": 1}}', WORDY])
def test_a_record_that_is_none_is_said_and_left_alone(tmp_path: Path, text: str) -> None:
    """A file mended badly by hand is not overwritten; the sentence says what to do."""
    home, root = day.made(tmp_path)
    (home.records / progress.FILE).write_text(text)
    with pytest.raises(KataError, match="Mend it, or move it away"):
        progress.load(home)
    if text != WORDY:  # there only one other problem's entry is wrong
        with pytest.raises(KataError, match="Mend it, or move it away"):
            progress.change(home, day.problem(root), progress.seen)
    assert (home.records / progress.FILE).read_text() == text


def test_commands_at_once_lose_nothing(tmp_path: Path) -> None:
    """Six programs that write the same entry: every change is there in the end."""
    home, root = day.made(tmp_path)
    code = (
        "import sys; from pathlib import Path; from msgspec.structs import replace\n"
        "from kata import progress, track; from kata.workspace import Workspace\n"
        "home, problem = Workspace(Path(sys.argv[1])), track.find(Path(sys.argv[2]), '7')\n"
        "for _ in range(25): progress.change(home, problem, lambda e: replace(e, tries=e.tries + 1))\n"
    )
    order = [sys.executable, "-c", code, str(home.root), str(root)]
    running = [subprocess.Popen(order, env=day.environment(root)) for _ in range(6)]
    assert [process.wait(timeout=60) for process in running] == [0] * 6
    assert day.entry(home, root).tries == 150


def test_a_full_disk_changes_nothing_and_is_said(tmp_path: Path) -> None:
    """Where no byte can be written the record stays as it was, and the grade is given all the same."""
    home, root = day.made(tmp_path)
    progress.change(home, day.problem(root), lambda entry: replace(entry, hints=("a" * 300,)))
    before = (home.records / progress.FILE).read_bytes()
    file = home.root / "problems" / "07_double_and_shift.py"
    file.write_text(day.RIGHT)

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))

    done = day.kata("hint", "7", cwd=home.root, root=root, preexec_fn=full)
    assert done.returncode == 2 and "can't be written" in done.stderr
    assert (home.records / progress.FILE).read_bytes() == before
    assert [path.name for path in home.records.iterdir() if path.name.startswith(".")] == []


def test_a_folder_that_can_t_be_written_still_gets_its_report(tmp_path: Path) -> None:
    """The report comes, and stderr says that it was not recorded; other commands say what is wrong and stop."""
    home, root = day.made(tmp_path)
    (home.root / "problems" / "07_double_and_shift.py").write_text(day.RIGHT)
    (home.records / "lock").chmod(0o444)
    for folder in (home.root / "problems", home.records, home.root):
        folder.chmod(0o555)
    done = day.kata("grade", "7", cwd=home.root, root=root, preexec_fn=_mortal)
    assert done.returncode == 0 and "passed" in done.stdout
    assert "Not recorded" in done.stderr and "can't be written" in done.stderr
    for words in (("hint", "7"), ("reset", "7"), ("solution", "7", "--give-up"), ("init", ".")):
        done = day.kata(*words, cwd=home.root, root=root, preexec_fn=_mortal)
        assert done.returncode == 2 and "can't be" in done.stderr and "fault" not in done.stderr, (words, done.stderr)
    assert (home.root / "problems" / "07_double_and_shift.py").read_text() == day.RIGHT


def _mortal() -> None:
    """Root obeys permissions as everyone else does once it may not override them."""
    ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE


def test_standing_and_what_comes_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is begun comes first; what builds on something open waits; an older grader's pass is told apart."""
    home, root = day.made(tmp_path)
    monkeypatch.chdir(home.root / "problems")
    first = day.problem(root)
    following = standing.following(standing.standings(root))
    assert following is not None and following.number == 7
    passed = Entry(passed="2026-01-01", passed_version=4, tries=1, last=Last(passed=True))
    progress.change(home, first, lambda entry: passed)
    seven, eight = standing.standings(root)
    assert (seven.state, seven.outdated, eight.state) == ("passed", True, "untouched")
    following = standing.following([seven, eight])
    assert following is not None and following.number == 8
    assert standing.following([seven]) is None


def test_next_goes_on_after_the_last_pass(tmp_path: Path) -> None:
    """Not back to what was left out; what was begun is ended first; one that is turned away from is passed by."""
    problem = day.problem(day.two_problems(tmp_path))

    def one(number: int, state: str, passed: str = "", after: tuple[int, ...] = ()) -> Standing:
        known = standing.standing(replace(problem, number=number), Entry(), {number, *after})
        return replace(known, state=state, passed=passed, after=after)

    every = [one(1, "untouched"), one(2, "passed", "2026-01-01"), one(3, "passed", "2025-01-01")]
    every += [one(4, "untouched", after=(1,)), one(5, "untouched", after=(2,))]

    def number(left: int | None = None) -> int:
        found = standing.following(every, left)
        assert found is not None
        return found.number

    assert number() == 5 and number(left=5) == 1 and number(left=1) == 5
    every[3] = one(4, "tried", after=(1,))
    assert number() == 4 and number(left=4) == 5
    every[0] = one(1, "passed", "2026-01-02")
    assert number() == 4 and number(left=5) == 4


def test_what_a_track_lacks_is_no_prerequisite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny problem builds on 3, which is not there: it is neither shown nor waited for."""
    home, root = day.made(tmp_path)
    monkeypatch.chdir(home.root)
    assert day.problem(root).after == (3,)
    assert [s.after for s in standing.standings(root)] == [(), (7,)]


def test_giving_up_is_recorded_as_such() -> None:
    """A worked answer before the pass is giving up, after it is reading on; a later pass does not wipe it out."""
    assert progress.seen(Entry()).gave_up and progress.seen(Entry()).solution_seen
    assert not progress.seen(Entry(passed="then")).gave_up
