"""Moodle: fills the grades of the instructor's own offline grading worksheet and leaves every other byte alone."""

import re
from collections.abc import Mapping

from kata.errors import KataError
from kata.export.cells import Cell, blank, cut, replaced, rows
from kata.export.filled import Filled, Find, unknown, whose
from kata.words import harmless

NAMES = {"identifier": "Identifier", "grade": "Grade", "maximum": "Maximum Grade", "locked": "Grade can be changed"}
IDS = ("ID number", "Email address", "Full name")


def fill(template: bytes, marks: Mapping[str, str], column: str, find: Find) -> Filled:
    """The worksheet with the marks (texts by student id) in its column of grades; raises KataError."""
    table = rows(template)
    header = [cell.text.strip() for cell in table[0]] if table else []
    at = {name: header.index(text) for name, text in NAMES.items() if text in header}
    at |= {"grade": header.index(column)} if column in header else {}
    if "grade" not in at or len(table[0]) < 3:
        raise KataError("This is no grading worksheet of Moodle with a column Grade; name its column with --column")
    changes, unmatched, refused, seen = list[tuple[Cell, str]](), list[str](), list[str](), set[str]()
    for number, row in enumerate(table[1:], 2):
        meant = _meant(row, header, find) if len(row) == len(header) else set[str]()
        student = next(iter(meant)) if len(meant) == 1 else None
        if blank(row):
            continue
        if len(row) != len(header):
            unmatched.append(cut(row, number, header))
        elif student is None or student not in marks:
            unmatched.append(unknown(row[0].text, meant))
        elif student in seen:
            raise KataError(f"Two rows of the worksheet are {student}'s")
        elif why := _refusal(row, at, marks[student]):
            refused.append(f"{student}: {why}")
        else:
            changes.append((row[at["grade"]], marks[student]))
        seen |= {student} if student else set()
    left = tuple(sorted(set(marks) - seen))
    told = replaced(template, changes), header[at["grade"]], len(changes), tuple(unmatched), left, tuple(refused)
    return Filled(*told, maximum=_maximum(table[1:], at, len(header)))


def _meant(row: list[Cell], header: list[str], find: Find) -> set[str]:
    """By id, e-mail and full name, and the number of `Participant 17` in any language."""
    told = {name: row[header.index(name)].text.strip().removeprefix("'") for name in header}
    number = re.search(r"(\d+)\s*$", row[0].text)
    return whose((told.get(name, "") for name in IDS), number[1] if number else "", find)


def _maximum(rows: list[list[Cell]], at: dict[str, int], width: int) -> str:
    return next((row[at["maximum"]].text.strip() for row in rows if len(row) == width and "maximum" in at), "")


def _refusal(row: list[Cell], at: dict[str, int], mark: str) -> str:
    """Why Moodle's importer would skip the row without a word."""
    if not mark.replace(".", "").isdigit():
        return f"Moodle takes no {mark} in a worksheet"
    maximum = row[at["maximum"]].text.strip() if "maximum" in at else ""
    try:
        if maximum and float(mark) > float(maximum.replace(",", ".")):
            return f"{mark} is more than Moodle's maximum of {harmless(maximum, 20)}"
    except ValueError:
        return f"graded on the scale {harmless(maximum, 40)}, not in points"
    return (
        "Moodle says that the grade can't be changed"
        if "locked" in at and row[at["locked"]].text.strip() == "No"
        else ""
    )
