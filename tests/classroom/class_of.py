"""The class of examples/classroom, graded once for all tests that look at it."""

import csv
import shutil
from pathlib import Path

from kata.classroom import desk
from kata.classroom.desk import Desk

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "classroom"


def prepare(folder: Path) -> Path:
    """A class with the example's policy, people and decisions; it accepts any sandbox, since CI may have no other."""
    desk.init(folder, EXAMPLE)
    for name in ("roster.csv", "decisions.csv"):
        shutil.copyfile(EXAMPLE / name, folder / name)
    return folder


def graded(folder: Path, submissions: Path = EXAMPLE / "submissions", judges: int = 2) -> Path:
    """The example, graded."""
    room = prepare(folder)
    with Desk(str(room)) as at:
        asked = at.room.assignment(None)
        at.take(submissions, asked, str(EXAMPLE / "times.csv"), None)
        for progress in at.grade(asked, "process", judges):
            assert progress.faults == 0
    return room


def expected() -> dict[str, tuple[str, str]]:
    """(state, points) by student, as expected.csv says."""
    with (EXAMPLE / "expected.csv").open(encoding="utf-8", newline="") as file:
        return {row["student"]: (row["state"], row["points"]) for row in csv.DictReader(file)}


def got(room: Path) -> dict[str, tuple[str, str]]:
    """(state, points) by student, as the gradebook gives them."""
    with Desk(str(room)) as at:
        return {m.student: (m.state, "" if m.points is None else f"{m.points:.2f}") for m in at.marks()}
