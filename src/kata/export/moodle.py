"""Moodle: fills the grades of the instructor's own offline grading worksheet and leaves every other byte alone."""

import re
from collections.abc import Callable, Mapping

from kata.errors import KataError
from kata.export.cells import Cell, replaced, rows
from kata.export.filled import Filled
from kata.words import harmless

NAMES = {"identifier": "Identifier", "grade": "Grade", "maximum": "Maximum Grade", "locked": "Grade can be changed"}
PEOPLE = ("ID number", "Email address", "Full name")


def fill(template: bytes, marks: Mapping[str, str], column: str, find: Callable[..., str | None]) -> Filled:
    """The worksheet with the marks (texts by student id) in its column of grades; raises KataError."""
    table = rows(template)
    header = [cell.text.strip() for cell in table[0]] if table else []
    at = {name: header.index(text) for name, text in NAMES.items() if text in header}
    at |= {"grade": header.index(column)} if column in header else {}
    if "grade" not in at or len(table[0]) < 3:
        raise KataError("This is no grading worksheet of Moodle with a column Grade; name its column with --column")
    changes, unmatched, refused, seen = list[tuple[Cell, str]](), list[str](), list[str](), set[str]()
    for row in table[1:]:
        student = _student(row, header, find) if len(row) == len(header) else None
        if student is None or student not in marks:
            unmatched.append(harmless(row[0].text, 100))
        elif student in seen:
            raise KataError(f"Two rows of the worksheet are {student}'s")
        elif why := _refusal(row, at, marks[student]):
            refused.append(f"{student}: {why}")
        else:
            changes.append((row[at["grade"]], marks[student]))
        seen |= {student} if student else set()
    left = tuple(sorted(set(marks) - seen))
    name = header[at["grade"]]
    return Filled(replaced(template, changes), name, len(changes), tuple(unmatched), left, tuple(refused))


def _student(row: list[Cell], header: list[str], find: Callable[..., str | None]) -> str | None:
    """By the columns that name a person; where they are translated, by the number of `Participant 17`."""
    words = [row[header.index(name)].text.strip().removeprefix("'") for name in PEOPLE if name in header]
    number = re.search(r"(\d+)\s*$", row[0].text)
    return next((found for word in (*words, number[1] if number else "") if word and (found := find(word))), None)


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
    return "Moodle says that the grade can't be changed" if "locked" in at and row[at["locked"]].text == "No" else ""
