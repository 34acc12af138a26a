"""decisions.csv: extensions, adjustments and excuses, each with the reason that a person gave."""

import re
from pathlib import Path

from kata.classroom import sheet
from kata.classroom.model import Assignment, Decision, Student
from kata.errors import KataError
from kata.words import harmless

FILE = "decisions.csv"
HEADER = ("student", "assignment", "kind", "value", "reason")
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)", re.ASCII)
KINDS = {"extension": "hours", "adjustment": "points, as in -1.5", "excused": "nothing"}


def load(folder: Path, students: tuple[Student, ...], assignments: tuple[Assignment, ...]) -> tuple[Decision, ...]:
    """Every decision of a folder; a file that is not there holds none."""
    path = folder / FILE
    if not path.exists():
        return ()
    rows = sheet.rows(sheet.read(path), str(path))
    _, header = next(rows, ("", list(HEADER)))
    if tuple(cell.strip() for cell in header) != HEADER:
        raise KataError(f"{path}: its first line must be {','.join(HEADER)}")
    known = {student.id for student in students}, {assignment.name for assignment in assignments}
    return tuple(_decision(row, known, where) for where, row in rows if any(row))


def _decision(row: list[str], known: tuple[set[str], set[str]], where: str) -> Decision:
    if len(row) != len(HEADER):
        raise KataError(f"{where}: {len(row)} cells instead of {len(HEADER)} ({', '.join(HEADER)})")
    student, assignment, kind, value, reason = (cell.strip() for cell in row)
    if student not in known[0] or assignment not in known[1]:
        what = f"student {student}" if student not in known[0] else f"assignment {assignment}"
        raise KataError(f"{where}: there is no {harmless(what, 100)}")
    if kind not in KINDS:
        raise KataError(f"{where}: the kind is {' or '.join(KINDS)}, not {harmless(kind, 40)!r}")
    if not reason:
        raise KataError(f"{where}: a reason is asked for")
    return Decision(student, assignment, kind, _value(kind, value, where), harmless(reason, 300))  # type: ignore[arg-type]


def _value(kind: str, value: str, where: str) -> float:
    if kind == "excused" and not value:
        return 0.0
    number = float(value) if NUMBER.fullmatch(value) else float("nan")
    if not abs(number) < 1e6 or (kind == "extension" and number < 0) or kind == "excused":
        raise KataError(f"{where}: the value of an {kind} is {KINDS[kind]}, not {harmless(value, 40)!r}")
    return number
