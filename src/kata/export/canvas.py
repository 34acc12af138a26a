"""Canvas: fills one column of the instructor's own downloaded gradebook and leaves every other byte alone."""

from collections.abc import Mapping

from kata.errors import KataError
from kata.export.cells import Cell, blank, cut, replaced, rows
from kata.export.filled import Filled, Find, unknown, whose
from kata.words import harmless

NUMBER = "ID"  # Canvas's own
IDS = ("SIS User ID", "SIS Login ID")
READ_ONLY = "(read only)"


def fill(template: bytes, marks: Mapping[str, str], column: str, find: Find) -> Filled:
    """The gradebook with the marks (texts by student id) in the assignment's column; raises KataError."""
    table = rows(template)
    header = [cell.text.strip() for cell in table[0]] if table else []
    if not header or not (_one_name(header) or _two_names(header)) or not {"ID", "Section"} <= set(header):
        raise KataError(
            "This is no Canvas gradebook: its first line must hold Student (or LastName and FirstName), ID and Section"
        )
    at = _column(header, column, table)
    changes, unmatched, seen = list[tuple[Cell, str]](), list[str](), set[str]()
    for number, row in enumerate(table[1:], 2):
        if blank(row) or (len(row) == len(header) and _is_about_columns(row)):
            continue
        name = _name(row, header)
        meant = _meant(row, header, name, find) if len(row) == len(header) else set[str]()
        student = next(iter(meant)) if len(meant) == 1 else None
        if len(row) != len(header):
            unmatched.append(cut(row, number, header))
        elif student is None or student not in marks:
            unmatched.append(unknown(name, meant))
        elif student in seen:
            raise KataError(f"Two rows of the gradebook are {student}'s; put that right in Canvas first")
        else:
            seen.add(student)
            changes.append((row[at], marks[student]))
    left = tuple(sorted(set(marks) - seen))
    maximum = _possible(table[1:], at, len(header))
    return Filled(replaced(template, changes), header[at], len(changes), tuple(unmatched), left, maximum=maximum)


def _one_name(header: list[str]) -> bool:
    return "Student" in header[0]


def _two_names(header: list[str]) -> bool:
    return header[:2] == ["LastName", "FirstName"]


def _name(row: list[Cell], header: list[str]) -> str:
    parts = [cell.text.strip() for cell in row[: 2 if _two_names(header) else 1]]
    return ", ".join(filter(None, parts)).removeprefix("'")


def _meant(row: list[Cell], header: list[str], name: str, find: Find) -> set[str]:
    """By all that Canvas itself matches by."""
    told = {word: row[header.index(word)].text.strip() for word in (NUMBER, *IDS) if word in header}
    return whose((name, *(told.get(word, "") for word in IDS)), told[NUMBER], find)


def _possible(rows: list[list[Cell]], at: int, width: int) -> str:
    """The points possible of a column, if the file says them."""
    return next((r[at].text.strip() for r in rows if len(r) == width and "Points Possible" in r[0].text), "")


def _is_about_columns(row: list[Cell]) -> bool:
    """The rows `Points Possible`, `Muted` and `Manual Posting`, which belong to nobody."""
    return "Points Possible" in row[0].text or not any(cell.text.strip() for cell in row[:2])


def _numbered(title: str, wanted: str) -> bool:
    return wanted.isdigit() and title.endswith(f"({wanted})")


def _column(header: list[str], wanted: str, table: list[list[Cell]]) -> int:
    after = header.index("Section") + 1
    found = [i for i in range(after, len(header)) if header[i] == wanted or _numbered(header[i], wanted)]
    found = found or [i for i in range(after, len(header)) if header[i].rpartition(" (")[0] == wanted]
    if len(found) != 1:
        listed = "; ".join(harmless(name, 80) for name in header[after:])
        what = f"no column {wanted}" if not found else f"{len(found)} columns {wanted}"
        raise KataError(f"The gradebook has {what}. Name one with --column: {listed}")
    notes = [row[found[0]].text for row in table[1:4] if len(row) == len(header) and _is_about_columns(row)]
    if any(READ_ONLY in note for note in notes):
        raise KataError(
            f"Canvas marks the column {header[found[0]]} as read only; it would ignore what is written there"
        )
    return found[0]
