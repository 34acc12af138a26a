"""A hostile class: every attack that we know is a student, and honest students sit between them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kata.classroom import desk
from kata.classroom.desk import Desk
from kata.classroom.model import Mark
from tests.attacks import suite
from tests.attacks.suite import HONEST, TRACK, Arena, Attack, attacks, ending

ATTACKS = [*attacks("catalogue"), *attacks("fresh")]
COURSE = f"""
name = "Hostile"
track = "{TRACK}"
[[assignment]]
name = "rows"
problems = {{ 1 = 1 }}
"""
EVERY = 8  # so many attacks stand between two honest students


def handed_in(folder: Path, arena: Arena) -> tuple[list[str], list[str]]:
    """Folders of all students; returns who is honest and who is not, in the order in which they are judged."""
    honest, hostile = list[str](), list[str]()
    for index, attack in enumerate(ATTACKS):
        if index % EVERY == 0:
            honest.append(f"{attack.name}-before")
            _write(folder / honest[-1], {"answer.py": f"{HONEST.read_text('utf-8')}\n# {index}\n"})
        hostile.append(attack.name)
        _write(folder / attack.name, arena.filled(attack, "ours"))
    return honest, hostile


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name.replace("answer.py", "01_unit_rows.py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


@pytest.fixture
def arena() -> Iterator[Arena]:
    made = Arena()
    yield made
    made.close()


@pytest.mark.slow
def test_every_attack_as_a_student_leaves_the_honest_their_marks(tmp_path: Path, arena: Arena) -> None:
    """Judged side by side, in the strict sandbox: full marks for each honest one, nothing for any other."""
    honest, hostile = handed_in(tmp_path / "in", arena)
    room = tmp_path / "class"
    desk.init(room, None)
    (room / "course.toml").write_text(COURSE)
    (room / "roster.csv").write_text("id\n" + "".join(f"{name}\n" for name in (*honest, *hostile)))
    with suite.planted(), Desk(str(room)) as at:
        asked = at.room.assignment(None)
        assert len(at.take(tmp_path / "in", asked, None, None).deliveries) == len(honest) + len(hostile) >= 150
        last = list(at.grade(asked, None, 2))[-1]
        marks = {mark.student: mark for mark in at.marks()}
        seed = at.book.seed
    assert (last.done, last.faults) == (len(honest) + len(hostile), 0)
    assert {name: marks[name].points for name in honest} == dict.fromkeys(honest, 10.0)
    wrong = {attack.name: found for attack in ATTACKS if (found := [*_faults(attack, marks[attack.name], arena, seed)])}
    assert wrong == {}


def _faults(attack: Attack, mark: Mark, arena: Arena, seed: str) -> Iterator[str]:
    """Everything that an attacker achieved, or that is not told as it is."""
    report = mark.attempt.answers[0].report if mark.attempt else None
    if report is None or mark.points != 0:
        yield f"{mark.state} with {mark.points} points"
        return
    yield from suite.faults(report, 0.0, arena, attack)
    if ending(report) != attack.ends or report.sandbox != "strict":
        yield f"{ending(report)} in the sandbox {report.sandbox}"
    if seed in str(report):
        yield "the class's seed"
