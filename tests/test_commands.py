"""The commands: one sentence where something is wrong, and an exit code that says whose it is."""

import json
import tempfile
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

import pytest

from kata import __version__, grading
from kata.__main__ import run
from kata.commands import NAMES, verify
from kata.zygote.launch import Engine
from tests import tiny

WRONG = tiny.ANSWER.replace("2 * x", "x")


class Said(NamedTuple):
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def words(self) -> str:
        """stdout, however it was broken into lines."""
        return " ".join(self.out.split())


Kata = Callable[..., Said]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A learner's folder with a right, a wrong, a broken and an untouched answer."""
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("right", tiny.ANSWER),
        ("wrong", WRONG),
        ("broken", "def f(:\n"),
        ("stub", tiny.QUESTION),
    ):
        (tmp_path / f"{name}.py").write_text(text.lstrip())
    return tmp_path


@pytest.fixture
def kata(
    root: Path, folder: Path, engine: Engine, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Kata:
    """Runs a command in this process, on the tiny track, with the session's engine, which starts once."""
    for module in (grading, verify):
        monkeypatch.setattr(module, "Engine", lambda: nullcontext(engine))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("KATA_TRACK", str(root))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(folder))

    def command(*args: str) -> Said:
        code = run(list(args))
        return Said(code, *capsys.readouterr())

    return command


def test_right_and_wrong(kata: Kata) -> None:
    right = kata("grade", "7", "right.py")
    assert (right.code, right.err) == (0, "")
    assert "7 · Double and shift right.py" in right.words and "✔ passed · 8/8 points · craft 2/2" in right.words
    wrong = kata("grade", "wrong.py", "7")
    assert (wrong.code, wrong.err) == (1, "")
    assert "What went wrong: not doubled" in wrong.words


def test_files_that_cannot_be_judged_are_not_passed(kata: Kata) -> None:
    broken = kata("grade", "7", "broken.py")
    assert (broken.code, broken.err) == (1, "")
    assert "✘ Python can't parse the file, line 1 SyntaxError: invalid syntax" in broken.words
    stub = kata("grade", "7", "stub.py")
    assert stub.code == 1 and "○ not written yet" in stub.words
    (Path("odd\x1b[31m.py")).write_text("x = (\n")
    odd = kata("grade", "7", "odd\x1b[31m.py")
    assert odd.code == 1 and "odd␛[31m.py" in odd.out and "\x1b" not in odd.out


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (("grade", "7", "nope.py"), "kata: there is no file nope.py. Name your answer's file, or go to its folder."),
        (("grade",), "kata: Say which problem: `kata grade 29`, or `kata grade --all`. `kata list` shows them."),
        (("grade", "8"), "kata: There is no problem “8”. `kata list` shows all 1."),
        (("grade", "²"), "kata: There is no problem “²”. `kata list` shows all 1."),
        (("grade", "a.py", "b.py"), "kata: Only one file at a time, not a.py, b.py."),
        (("grade", "\x1b[31m"), "kata: There is no problem “␛[31m”. `kata list` shows all 1."),
        (("show", "duble"), "kata: There is no problem “duble”. Did you mean 7 double_and_shift? "),
        (
            ("grade", "7", "right.py", "--only", "value"),
            "kata: There is no check value; this problem has keeps_the_shape",
        ),
        (("grade", "7", "--track", "/nonesuch"), "kata: /nonesuch is not a track: it has no folder problems and no"),
        (
            ("grade", "7", "right.py", "--junit", "no/x.xml"),
            "kata: no/x.xml can't be written: No such file or directory",
        ),
        (("verify", "8"), "kata: There is no problem “8”. `kata list` shows all 1."),
    ],
)
def test_what_the_user_can_put_right_is_one_sentence(kata: Kata, args: tuple[str, ...], text: str) -> None:
    said = kata(*args)
    assert said.code == 2
    assert text in " ".join(said.err.split())
    assert "Traceback" not in said.err


@pytest.mark.parametrize("args", [("nope",), ("grade", "--nope"), ("grade", "7", "--seed", "-1"), ("show",)])
def test_wrong_usage(kata: Kata, args: tuple[str, ...]) -> None:
    said = kata(*args)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("Usage: kata ")


@pytest.mark.parametrize(
    ("file", "passed", "code"),
    [
        ("right.py", True, 0),
        ("wrong.py", False, 1),
        ("broken.py", False, 1),
        ("stub.py", False, 1),
        ("no.py", False, 2),
    ],
)
def test_json_is_all_that_is_printed(kata: Kata, file: str, passed: bool, code: int) -> None:
    said = kata("grade", "7", file, "--json")
    report = json.loads(said.out)
    assert (said.code, said.err, report["passed"], report["schema"]) == (code, "", passed, "kata.report/1")


def test_several_problems_are_an_array_and_a_line_each(kata: Kata, folder: Path) -> None:
    (folder / f"{tiny.NAME}.py").write_text(WRONG)
    said = kata("grade", "7", "double", "--json")
    assert said.code == 1 and [report["passed"] for report in json.loads(said.out)] == [False, False]
    *lines, blank, total, _ = kata("grade", "7", "7").out.splitlines()
    assert len(lines) == 2 and all("✘" in line and line.rstrip().endswith("not doubled") for line in lines)
    assert blank == "" and total.strip() == "0 of 2 passed · 0/16 points"
    (folder / f"{tiny.NAME}.py").write_text(tiny.ANSWER)
    every = kata("grade", "--all")
    assert every.code == 0 and "✔" in every.out and "Double and shift" in every.out


def test_a_folder_as_the_answer(kata: Kata) -> None:
    said = kata("grade", "7", "./")
    assert (said.code, said.err) == (1, "")
    assert "The file can't be read" in said.words and "is a folder; a Python file is asked for" in said.words


def test_only_never_passes(kata: Kata) -> None:
    required = [word for name in ("keeps_the_shape", "values", "gradient", "refuses") for word in ("--only", name)]
    said = kata("grade", "7", "right.py", *required)
    assert said.code == 1 and "– not judged as a whole" in said.words
    report = json.loads(kata("grade", "7", "right.py", *required, "--json").out)
    assert report["passed"] is False and report["score"] == 8.0


def test_the_seed_is_told(kata: Kata) -> None:
    assert json.loads(kata("grade", "7", "right.py", "--seed", "12", "--json").out)["seed"] == 12


def test_junit_is_written_beside_what_is_shown(kata: Kata, folder: Path) -> None:
    said = kata("grade", "7", "wrong.py", "--junit", "out.xml")
    assert said.code == 1 and "not passed yet" in said.out
    assert 'failures="3"' in (folder / "out.xml").read_text()


def test_a_broken_grader_is_our_own_fault(kata: Kata, folder: Path) -> None:
    tiny.write(folder / "track", grader=tiny.GRADER.replace("if reply.changed:", "if 1 / 0:"))
    said = kata("grade", "7", "right.py", "--track", "track")
    assert said.code == 3
    told = " ".join(said.out.split())
    assert "✘ Our own fault This is our own fault, not yours (" in told and "The traceback is in " in told
    assert "nothing counts against you" in told and "Put it right" not in told
    [saved] = folder.glob("kata-fault-*.txt")
    assert "ZeroDivisionError" in saved.read_text()


def test_listing_and_showing(kata: Kata) -> None:
    listed = kata("list")
    assert listed.code == 0 and "7 Double and shift" in listed.words
    assert listed.err.startswith("kata: You are in no workspace, so nothing is recorded.")
    shown = kata("show", "double")
    assert shown.code == 0 and "Twice the input, plus an amount." in shown.words
    assert "raise ValueError" in shown.words.replace("`", "")


def test_verifying(kata: Kata, folder: Path) -> None:
    said = kata("verify", "7", "--seeds", "1")
    assert said.code == 0 and said.words.endswith("Every claim holds.")
    tiny.write(folder / "track", answer=WRONG)
    said = kata("verify", "--seeds", "1", "--track", "track")
    assert said.code == 1 and "✘ worked answer" in said.words and "of the claims do not hold" in said.words


def test_the_doctor(kata: Kata) -> None:
    said = kata("doctor")
    assert said.code in (0, 1) and said.err == ""
    for name in ("kata", "python", "torch", "track", "processes", "sandbox", "machine"):
        assert f" {name} " in said.words


def test_help_of_every_command(kata: Kata) -> None:
    for name in NAMES:
        said = kata(name, "--help")
        assert (said.code, said.err) == (0, ""), name
        assert said.out.startswith(f"Usage: kata {name}")
    assert kata("--version").out == f"kata, version {__version__}\n"
    assert all(f"  {name} " in kata("--help").out for name in NAMES)
