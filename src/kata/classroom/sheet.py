"""The tables that a person keeps by hand, roster.csv and the like, read without losing a row to a slip of the pen."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from kata.errors import KataError


def read(path: Path) -> str:
    """The text of a table."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as wrong:
        raise KataError(f"{path} can't be read: {wrong.strerror}") from None
    except UnicodeDecodeError:
        raise KataError(f"{path} is not UTF-8; save it as “CSV UTF-8”") from None


def rows(text: str, path: str) -> Iterator[tuple[str, list[str]]]:
    """Each row of a CSV with its place in words; a quotation mark that nothing closes would swallow the rows below."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=_separator(text))
    while True:
        where = f"{path}, line {reader.line_num + 1}"
        try:
            row = next(reader, None)
        except csv.Error as wrong:
            hint = 'a quotation mark that opens a cell must close it too, and one inside it is written ""'
            raise KataError(f"{where}: this row can't be read ({wrong}): {hint}") from None
        if row is None:
            return
        yield where, row


def cells(row: list[str], header: list[str], where: str) -> dict[str, str]:
    """A row's cells by the names of their columns; cells that are left out at its end are empty."""
    if any(cell.strip() for cell in row[len(header) :]):
        hint = "a cell that holds a comma stands in quotation marks"
        raise KataError(f"{where}: {len(row)} cells under {len(header)} columns ({', '.join(header)}): {hint}")
    return {name: row[at] if at < len(row) else "" for at, name in enumerate(header)}


def without(text: str, column: str, value: str) -> str:
    """The table without the rows that have this value in a column."""
    first, *others = [row for _, row in rows(text, "")] or [[]]
    at = [name.strip().lower() for name in first].index(column) if first else 0
    out = io.StringIO(newline="")
    kept = (row for row in others if len(row) <= at or row[at].strip() != value)
    csv.writer(out, delimiter=_separator(text)).writerows([first, *kept] if first else [])
    return out.getvalue()


def _separator(text: str) -> str:
    """What stands between the names of the first line: semicolons where a comma is the decimal sign."""
    first = text.partition("\n")[0]
    return ";" if ";" in first and "," not in first else ","
