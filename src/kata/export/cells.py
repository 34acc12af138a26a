"""A CSV as bytes in which single cells are replaced and every other byte stays what it was."""

import itertools
from collections.abc import Iterator, Sequence

from msgspec import Struct

from kata.errors import KataError

QUOTE = ord('"')


class Cell(Struct, frozen=True):
    """Where a cell stands in the file, and what it says."""

    start: int
    end: int
    text: str


def rows(data: bytes) -> list[list[Cell]]:
    """Every row of the file; commas or semicolons separate, as the first three lines say."""
    start = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        raise KataError("The file is not UTF-8; download it again and don't save it with another program") from None
    return [*_rows(data, start, _separator(data, start))]


def _separator(data: bytes, start: int) -> int:
    """The one of `,` and `;` that gives the first three rows the same number of cells, more than one."""
    return next((s for s in (44, 59) if _fits(data, start, s)), 44)


def _fits(data: bytes, start: int, separator: int) -> bool:
    try:
        counts = {len(row) for row in itertools.islice(_rows(data, start, separator), 3)}
    except KataError:
        return False
    return len(counts) == 1 and counts != {1}


def _rows(data: bytes, start: int, separator: int) -> Iterator[list[Cell]]:
    row = list[Cell]()
    at, quoted, begin = start, False, start
    while at < len(data):
        byte = data[at]
        if byte == QUOTE:  # inside a cell that began without one, it is a character like any other
            quoted = not quoted if quoted or _opens(data, begin, at) else False
        elif not quoted and byte == separator:
            row.append(_cell(data, begin, at))
            begin = at + 1
        elif not quoted and byte in b"\r\n":
            yield [*row, _cell(data, begin, at)]
            at += data[at : at + 2] == b"\r\n"
            row, begin = [], at + 1
        at += 1
    if quoted:
        raise KataError("The file ends inside a quoted cell: it is cut off")
    if row or begin < len(data):
        yield [*row, _cell(data, begin, at)]


def _opens(data: bytes, begin: int, at: int) -> bool:
    """Whether a quote is the first of its cell, or follows one that seemed to close it."""
    before = data[begin:at].lstrip(b" ")
    return not before or before.startswith(b'"')


def _cell(data: bytes, start: int, end: int) -> Cell:
    text = data[start:end].decode("utf-8", "replace")
    if text.strip(" ").startswith('"') and text.strip(" ").endswith('"') and len(text.strip(" ")) > 1:
        text = text.strip(" ")[1:-1].replace('""', '"')
    return Cell(start, end, text)


def blank(row: Sequence[Cell]) -> bool:
    """Whether nothing stands in a row."""
    return not any(cell.text.strip() for cell in row)


def cut(row: Sequence[Cell], number: int, header: Sequence[str]) -> str:
    """What to say of a row that has not as many cells as there are columns."""
    return f"row {number} has {len(row)} cells where the first line has {len(header)}"


def replaced(data: bytes, changes: Sequence[tuple[Cell, str]]) -> bytes:
    """The file with some cells saying something else; the new texts need no quotes."""
    parts, last = list[bytes](), 0
    for cell, text in sorted(changes, key=lambda change: change[0].start):
        parts += [data[last : cell.start], text.encode()]
        last = cell.end
    return b"".join([*parts, data[last:]])
