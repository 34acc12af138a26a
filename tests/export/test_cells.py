"""Single cells of a CSV are replaced; every other byte stays what it was."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.errors import KataError
from kata.export.cells import Cell, replaced, rows

TEXTS = st.text(st.characters(blacklist_categories=["Cs", "Cc"]) | st.sampled_from('",;\n'), max_size=8)
TABLES = st.integers(2, 4).flatmap(lambda n: st.lists(st.lists(TEXTS, min_size=n, max_size=n), min_size=3, max_size=5))


def written(table: list[list[str]], **options: str) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, **options).writerows(table)  # type: ignore[arg-type]
    return text.getvalue().encode()


@given(TABLES, st.sampled_from(["\r\n", "\n"]), st.sampled_from([b"", b"\xef\xbb\xbf"]))
def test_cells_are_read_as_the_csv_module_reads_them(table: list[list[str]], end: str, bom: bytes) -> None:
    data = written(table, lineterminator=end, quoting=csv.QUOTE_ALL)  # type: ignore[arg-type]
    assert [[cell.text for cell in row] for row in rows(bom + data)] == table


@given(TABLES, st.data())
def test_one_cell_changes_and_no_other_byte(table: list[list[str]], data: st.DataObject) -> None:
    before = written(table, quoting=csv.QUOTE_ALL)  # type: ignore[arg-type]
    row = data.draw(st.integers(0, len(table) - 1))
    column = data.draw(st.integers(0, len(table[0]) - 1))
    cell = rows(before)[row][column]
    after = replaced(before, [(cell, "9.50")])
    assert after[: cell.start] == before[: cell.start]
    assert after[cell.start + 4 :] == before[cell.end :]
    table[row][column] = "9.50"
    assert list(csv.reader(io.StringIO(after.decode(), newline=""))) == table


@pytest.mark.parametrize(
    "data", [b'a,5" tall,c\n', b'a,"say ""5"" now",c\n', b'a,b"c"d,e\n', b'"a""b",c\n', b'a,""\n', b'"","a"\n']
)
def test_a_quote_inside_a_cell_is_a_character(data: bytes) -> None:
    assert [[cell.text for cell in row] for row in rows(data)] == list(csv.reader(io.StringIO(data.decode())))


def test_nothing_changes_without_changes() -> None:
    data = b'\xef\xbb\xbfa;b\r\n"x;""y";2\n3;4'
    assert replaced(data, []) == data
    assert [[cell.text for cell in row] for row in rows(data)] == [["a", "b"], ['x;"y', "2"], ["3", "4"]]
    assert rows(b"a,b\n")[0][1] == Cell(2, 3, "b")


@pytest.mark.parametrize(("data", "said"), [(b'a,b\n"x,1\n', "cut off"), (b"a,\xff\n", "not UTF-8")])
def test_what_is_no_table(data: bytes, said: str) -> None:
    with pytest.raises(KataError, match=said):
        rows(data)
