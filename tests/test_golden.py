"""Golden answers to problem 29: the report and the screen of a right, a wrong, an empty, a crashing and a hanging one.

`python -m tests.test_golden` writes them anew; see tests/golden/README.md.
"""

import contextlib
import io
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import msgspec
import pytest

from kata import grading, track
from kata.model import Job, Report, Submission
from kata.screen.grading import One
from kata.zygote.events import Found
from kata.zygote.launch import Engine
from tests import real

HERE = Path(__file__).with_name("golden")
CASES = ("right", "interleaved", "empty", "crashing", "hanging")
EXITS = {"right": 0, "interleaved": 1, "empty": 1, "crashing": 1, "hanging": 1}
NUMBER = 29
NAME = "29_rotary_positional_embeddings.py"
FRACTION = re.compile(r"-?\d+\.\d+(e[+-]?\d+)?")


def graded(engine: Engine, case: str) -> tuple[Report, str]:
    """The report, and what the screen shows while it comes."""
    problem = track.find(real.ROOT, str(NUMBER))
    job = Job(str(real.ROOT), NUMBER, Submission(NAME, (HERE / case / "answer.py").read_bytes()))
    task = grading.Task(problem, job)
    environment = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
    shown = io.StringIO()
    with (
        mock.patch.dict(os.environ, environment),
        contextlib.redirect_stdout(shown),
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
    ):
        Path(NAME).write_bytes(job.submission.source)
        screen = One()
        screen.begin(task)
        for event in engine.grade(job):
            if isinstance(event, Found):
                screen.found(event.finding)
        told: Report = event.report  # type: ignore[union-attr]  # the last event
        screen.done(told)
        screen.after(task, told, grading.record(task, told), None)
    return told, plain(shown.getvalue())


def plain(screen: str) -> str:
    """A screen without what differs between two runs and two machines; ends of lines are cut."""
    text = re.sub(r" · \d+\.\d s · sandbox: \w+", " · … s · sandbox: …", screen)
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def fixed(told: Report) -> str:
    """A report as JSON without what differs between two runs and two machines."""
    data = msgspec.to_builtins(told)
    for name in ("kata", "torch", "python", "sandbox"):
        data[name] = "…"
    for place in (data, *data["findings"]):
        place["seconds"] = 0
    data["submission"]["path"] = "…"
    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode() + "\n"


def rounded(text: str) -> str:
    """A text with three digits of every fraction: machines differ in the last ones of a sine."""
    return FRACTION.sub(lambda found: f"{float(found[0]):.3g}", text)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as started:
        yield started


@pytest.mark.parametrize("case", CASES)
def test_golden_report_and_screen(case: str, engine: Engine) -> None:
    told, shown = graded(engine, case)
    assert rounded(fixed(told)) == rounded((HERE / case / "report.json").read_text("utf-8"))
    assert rounded(shown) == rounded((HERE / case / "screen.txt").read_text("utf-8"))
    assert grading.exit_code([told]) == EXITS[case]


@pytest.mark.parametrize("case", ["right", "interleaved", "empty"])
def test_the_command_shows_the_golden_screen(case: str, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes((HERE / case / "answer.py").read_bytes())
    done = real.kata("grade", NUMBER, cwd=tmp_path)
    assert rounded(plain(done.stdout)) == rounded((HERE / case / "screen.txt").read_text("utf-8"))
    assert (done.returncode, done.stderr) == (EXITS[case], "")


def test_the_command_prints_the_golden_report_and_nothing_beside_it(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes((HERE / "right" / "answer.py").read_bytes())
    done = real.kata("grade", NUMBER, "--json", cwd=tmp_path)
    told = real.report(done)
    assert rounded(fixed(told)) == rounded((HERE / "right" / "report.json").read_text("utf-8"))
    assert (told.submission.path, done.returncode, done.stderr) == (NAME, 0, "")


def test_the_golden_stub_is_the_problems_own() -> None:
    problem = track.find(real.ROOT, str(NUMBER))
    assert (HERE / "empty" / "answer.py").read_bytes() == problem.question.read_bytes()


def main() -> None:
    """Writes reports and screens anew."""
    (HERE / "empty" / "answer.py").write_bytes(track.find(real.ROOT, str(NUMBER)).question.read_bytes())
    with Engine() as engine:
        for case in CASES:
            told, shown = graded(engine, case)
            (HERE / case / "report.json").write_text(rounded(fixed(told)), "utf-8")
            (HERE / case / "screen.txt").write_text(shown, "utf-8")


if __name__ == "__main__":
    main()
