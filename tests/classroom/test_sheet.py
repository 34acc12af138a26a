"""A table that a person keeps is read whole, or refused with its line."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.classroom import sheet
from kata.errors import KataError

CELLS = st.text(st.characters(exclude_characters="\x00"), max_size=8)


@pytest.mark.parametrize("separator", [",", ";"])
def test_rows_have_their_first_lines(separator: str) -> None:
    text = 'id,name\n1,"a\nb"\n\n2,"c ""d"""\n'.replace(",", separator)
    told = [
        ("t, line 1", ["id", "name"]),
        ("t, line 2", ["1", "a\nb"]),
        ("t, line 4", []),
        ("t, line 5", ["2", 'c "d"']),
    ]
    assert list(sheet.rows(text, "t")) == told


@pytest.mark.parametrize("row", ['1,"a\n2,b\n', '1,"a\n2,"b, c"\n', '1,"a" b\n', f"1,{'x' * 200_000}\n"])
def test_a_slip_is_told_with_its_line(row: str) -> None:
    with pytest.raises(KataError, match="t, line 2: this row can't be read"):
        list(sheet.rows("id,name\n" + row, "t"))


@pytest.mark.parametrize("separator", [",", ";"])
def test_one_student_goes_and_the_rest_stays(separator: str) -> None:
    text = 'ID,name\r\n1,"a, b;"\r\n2,c\r\n 1 ,d\r\n3,"1"\r\n'.replace(",", separator)
    left = [row for _, row in sheet.rows(sheet.without(text, "id", "1"), "")]
    assert left == [["ID", "name"], ["2", "c"], ["3", "1"]]
    assert sheet.without("", "id", "1") == ""


@given(st.lists(st.tuples(CELLS, CELLS), max_size=5))
def test_whoever_is_not_meant_stays_to_the_letter(people: list[tuple[str, str]]) -> None:
    text = "id,name\n" + "".join('"' + '","'.join(cell.replace('"', '""') for cell in row) + '"\n' for row in people)
    left = [row for _, row in sheet.rows(sheet.without(text, "id", "zed"), "")]
    assert left == [["id", "name"], *(list(row) for row in people if row[0].strip() != "zed")]


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("id,name\n".encode("utf-16"))
    with pytest.raises(KataError, match=r"t\.csv is not UTF-8; save it as “CSV UTF-8”"):
        sheet.read(tmp_path / "t.csv")
    with pytest.raises(KataError, match="none can't be read: No such file"):
        sheet.read(tmp_path / "none")
