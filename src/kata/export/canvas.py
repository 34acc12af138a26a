"""Canvas: fills one column of the instructor's own downloaded gradebook and leaves every other byte alone."""

from collections.abc import Callable, Mapping

from kata.errors import KataError
from kata.export.cells import Cell, blank, cut, replaced, rows
from kata.export.filled import Filled
from kata.words import harmless

IDS = ("ID", "SIS User ID", "SIS Login ID")
READ_ONLY = "(read only)"
Find = Callable[..., str | None]  # words → a student's id


def fill(template: bytes, marks: Mapping[str, str], column: str, find: Find) -> Filled:
    """The gradebook with the marks (texts by student id) in the assignment's column; raises KataError."""
    table = rows(template)
    header = [cell.text.strip() for cell in table[0]] if table else []
    if not header or not (_one_name(header) or _two_names(header)) or not {"ID", "Section"} <= set(header):
        raise KataError(
            "This is no Canvas gradebook: its first line must hold Student (or LastName and FirstName), ID and Section"
        )
    at = _column(header, column, table)
    people = {header.index(name): name for name in IDS if name in header}
    changes, unmatched, seen = list[tuple[Cell, str]](), list[str](), set[str]()
    for number, row in enumerate(table[1:], 2):
        if blank(row) or (len(row) == len(header) and _is_about_columns(row)):
            continue
        name = _name(row, header)
        student = _student(row, people, name, find) if len(row) == len(header) else None
        if len(row) != len(header):
            unmatched.append(cut(row, number, header))
        elif student is None or student not in marks:
            unmatched.append(harmless(name, 100))
        elif student in seen:
            raise KataError(f"Two rows of the gradebook are {student}'s; put that right in Canvas first")
        else:
            seen.add(student)
            changes.append((row[at], marks[student]))
    left = tuple(sorted(set(marks) - seen))
    return Filled(replaced(template, changes), header[at], len(changes), tuple(unmatched), left)


def _one_name(header: list[str]) -> bool:
    return "Student" in header[0]


def _two_names(header: list[str]) -> bool:
    return header[:2] == ["LastName", "FirstName"]


def _name(row: list[Cell], header: list[str]) -> str:
    parts = [cell.text.strip() for cell in row[: 2 if _two_names(header) else 1]]
    return ", ".join(filter(None, parts)).removeprefix("'")


def _student(row: list[Cell], people: dict[int, str], name: str, find: Find) -> str | None:
    """By the ids that Canvas itself matches by, if they agree; by the name only where no id says anything."""
    meant = {found for at in people if (word := row[at].text.strip()) and (found := find(word))}
    if not meant:
        return find(name)
    return meant.pop() if len(meant) == 1 else None


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
