"""From words to reports: which problems, which file, which exit code; and a judge that dies."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kata import grading
from kata.errors import KataError, OwnFault
from kata.model import Error, Finding, Grader, Report, Submission
from kata.report import build, skipped
from kata.zygote.events import Done, Found
from tests import tiny
from tests.tiny import Judged


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "names", "file"),
    [
        (("29",), ["29"], None),
        (("29", "30"), ["29", "30"], None),
        (("29", "mine.py"), ["29"], "mine.py"),
        (("mine.py", "29"), ["29"], "mine.py"),
        (("rotary", "sub/mine"), ["rotary"], "sub/mine"),
        (("29_rotary.py",), ["29"], "29_rotary.py"),
        (("29_my_second_try.py",), ["29"], "29_my_second_try.py"),
        (("a/b/07.py",), ["07"], "a/b/07.py"),
        (("rotary.py",), ["rotary"], "rotary.py"),
        (("29", "answer"), ["29"], "answer"),  # a file that is there
        (("29", "softmax"), ["29", "softmax"], None),  # a folder that is there
        (("29", "30"), ["29", "30"], None),
        (("x" * 300,), ["x" * 300], None),
        (("29", "a\0b"), ["29", "a\0b"], None),
        ((), [], None),
    ],
)
def test_words(folder: Path, words: tuple[str, ...], names: list[str], file: str | None) -> None:
    (folder / "answer").write_text("")
    (folder / "softmax").mkdir()
    (folder / "30").write_text("")  # a number is a problem, whatever lies there
    assert grading.split(words) == (names, file)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ((), "Say which problem: `kata grade 29`, or `kata grade --all`. `kata list` shows them."),
        (("a.py", "b.py"), "Only one file at a time, not a.py, b.py."),
        (("7", "8", "a.py"), "One file answers one problem, but a.py was given for 2."),
        (("answer.py",), "There is no problem “answer”. `kata list` shows all 1."),
    ],
)
def test_words_that_make_no_sense(
    root: Path, words: tuple[str, ...], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KATA_TRACK", str(root))
    with pytest.raises(KataError) as wrong:
        grading.tasks(root, words, False, (), 0)
    assert str(wrong.value) == text


def test_tasks(root: Path, folder: Path) -> None:
    (folder / "mine.py").write_text("x = 1\n")
    [task] = grading.tasks(root, ("7", "mine.py"), False, ("values",), 5)
    assert (task.problem.number, task.job.number, task.job.seed, task.job.only) == (7, 7, 5, ("values",))
    assert (task.job.submission.source, task.job.track) == (b"x = 1\n", str(root))


def made(grader: Grader, error: Error | None = None, passed: bool = False) -> Report:
    if error is None:
        return Judged(grader, tiny.ANSWER if passed else tiny.ANSWER.replace("2 *", "3 *")).report()
    findings: Iterator[Finding] = map(skipped, grader.checks)
    facts: dict[str, Any] = {"torch": "", "sandbox": "process", "seed": 0, "seconds": 0.0}
    return build(grader.problem, Submission("f.py", b""), findings, error=error, **facts)


def test_exit_codes(grader: Grader) -> None:
    right, wrong = made(grader, passed=True), made(grader)
    ours, syntax, missing = (made(grader, Error(kind, "")) for kind in ("ours", "syntax", "missing_file"))
    assert grading.exit_code([right]) == grading.exit_code([right, right]) == 0
    assert grading.exit_code([right, wrong]) == grading.exit_code([syntax]) == 1
    assert grading.exit_code([right, missing]) == grading.exit_code([missing, wrong]) == 2
    assert grading.exit_code([missing, ours, right]) == 3


def test_json_is_one_object_or_an_array(grader: Grader, capsys: pytest.CaptureFixture[str]) -> None:
    report = made(grader, passed=True)
    grading.print_json([report], single=True)
    assert json.loads(capsys.readouterr().out)["passed"] is True
    grading.print_json([report, report], single=False)
    assert len(json.loads(capsys.readouterr().out)) == 2


class Engine:
    """Judges by a script: each engine that is started takes the next step."""

    steps: list[Any]

    def __enter__(self) -> "Engine":
        self.step = self.steps.pop(0)
        return self

    def __exit__(self, *why: object) -> None: ...

    def grade(self, job: object) -> Iterator[Any]:
        step = self.step
        if isinstance(step, Exception):
            raise step
        yield from (Found(finding) for finding in step.findings)
        yield Done(step)


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def play(*steps: Any) -> None:
        Engine.steps = list(steps)
        monkeypatch.setattr(grading, "Engine", Engine)

    return play


def run(root: Path, folder: Path) -> Report:
    (folder / "mine.py").write_text("x = 1\n")
    [report] = grading.run(grading.tasks(root, ("7", "mine.py"), False, (), 0), True)
    return report


def test_a_fault_of_ours_is_tried_once_more(
    root: Path, grader: Grader, folder: Path, script: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    right = made(grader, passed=True)
    script(OwnFault("killed"), right)
    assert run(root, folder) == right
    assert json.loads(capsys.readouterr().out)["passed"]


def test_a_fault_of_ours_that_comes_again_is_named_and_never_a_zero(
    root: Path, folder: Path, script: Callable[..., None], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    script(OwnFault("killed"), OwnFault("killed again\nMemoryError: all of it"))
    report = run(root, folder)
    assert report.error is not None and report.error.kind == "ours"
    assert report.error.message.startswith(
        "This is our own fault, not yours (MemoryError: all of it). The traceback is"
    )
    assert (report.passed, report.max_score, report.findings) == (False, 0.0, ())
    assert grading.exit_code([report]) == 3
    Path(report.error.message.split(" is in ")[1].split(";")[0]).unlink()
    assert json.loads(capsys.readouterr().out)["error"]["kind"] == "ours"


def test_what_the_user_can_put_right_is_not_tried_again(root: Path, folder: Path, script: Callable[..., None]) -> None:
    script(KataError("no torch"))
    with pytest.raises(KataError, match="no torch"):
        run(root, folder)
