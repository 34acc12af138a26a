"""Moodle: fills the grades of the instructor's own offline grading worksheet and leaves every other byte alone."""

import re
from collections.abc import Callable, Mapping

from kata.errors import KataError
from kata.export.cells import Cell, blank, cut, replaced, rows
from kata.export.filled import Filled
from kata.words import harmless

NAMES = {"identifier": "Identifier", "grade": "Grade", "maximum": "Maximum Grade", "locked": "Grade can be changed"}
IDS = ("ID number", "Email address")


def fill(template: bytes, marks: Mapping[str, str], column: str, find: Callable[..., str | None]) -> Filled:
    """The worksheet with the marks (texts by student id) in its column of grades; raises KataError."""
    table = rows(template)
    header = [cell.text.strip() for cell in table[0]] if table else []
    at = {name: header.index(text) for name, text in NAMES.items() if text in header}
    at |= {"grade": header.index(column)} if column in header else {}
    if "grade" not in at or len(table[0]) < 3:
        raise KataError("This is no grading worksheet of Moodle with a column Grade; name its column with --column")
    changes, unmatched, refused, seen = list[tuple[Cell, str]](), list[str](), list[str](), set[str]()
    for number, row in enumerate(table[1:], 2):
        student = _student(row, header, find) if len(row) == len(header) else None
        if blank(row):
            continue
        if len(row) != len(header):
            unmatched.append(cut(row, number, header))
        elif student is None or student not in marks:
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
    """By id and e-mail, if they agree; else by the full name, or the number of `Participant 17` in any language."""
    told = {name: row[header.index(name)].text.strip().removeprefix("'") for name in header}
    meant = {found for name in IDS if (word := told.get(name)) and (found := find(word))}
    if meant:
        return meant.pop() if len(meant) == 1 else None
    number = re.search(r"(\d+)\s*$", row[0].text)
    words = (told.get("Full name", ""), number[1] if number else "")
    return next((found for word in words if word and (found := find(word))), None)


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
