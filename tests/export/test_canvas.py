"""Canvas's own gradebook with one column filled in, read back by the rules of its importer.

The rules are those of canvas-lms lib/gradebook_importer.rb, restated below; nothing was imported into a real Canvas.
"""

import csv
import io
import re
from decimal import Decimal

import pytest

from kata.classroom.model import Student
from kata.classroom.roster import Roster
from kata.errors import KataError
from kata.export import canvas

ROSTER = Roster(
    (
        Student("s7", "Seven, Sample", login="s07"),
        Student("s8", '=HYPERLINK("http://x")', login="s08"),
        Student("s9", "O'Ünicode, Ana", other=("1009",)),
        Student("s10", "Twin, Kim"),
        Student("s11", "Twin, Kim"),
    )
)
HEAD = "Student,ID,SIS User ID,SIS Login ID,Section,Quiz (17),29 RoPE (4401),Final Score\r\n"
BOM = "\ufeff"
TEMPLATE = (
    BOM + HEAD + "    Points Possible,,,,,10,5,(read only)\r\n"
    '"Seven, Sample",1007,,s07,"A ""1""",7.00,,88\n'
    '"=""HYPERLINK(""""http://x"""")""",1008,s8,,Sec A,8.00,1.00,88\r\n'
    '"O\'Ünicode, Ana",1009,sis9,login9,Sec B,,-,88\r\n'
    '"Student, Test",9999,,zz,Sec B,,,\r\n'
).encode()
MARKS = {"s7": "2.00", "s8": "4.50", "s9": "EX"}


def find(word: str) -> Student | None:
    return ROSTER.find(word).student


def imported(data: bytes) -> dict[str, dict[str, str]]:
    """What Canvas would take: columns by the id in parentheses, students by ID; raises where it would refuse."""
    text = data.decode("utf-8-sig")
    table = list(csv.reader(io.StringIO(text, newline="")))
    header = table[0]
    assert "Student" in header[0] and "ID" in header[1] and len(header) > 3, "Invalid header row"
    section = max(i for i, name in enumerate(header) if "Section" in name)
    columns = {i: m[1] for i, name in enumerate(header) if i > section and (m := re.search(r"\((\d+)\)$", name))}
    people = [row for row in table[1:] if "Points Possible" not in row[0]]
    for row in people:
        for i in columns:
            assert re.fullmatch(r"|-|EX|\d+([.,]\d+)?%?", row[i]), f"{row[i]} is no grade"
    return {row[1]: {id: row[i] for i, id in columns.items()} for row in people}


def test_one_column_is_filled_in_and_every_other_byte_stays() -> None:
    filled = canvas.fill(TEMPLATE, MARKS, "29 RoPE", find)
    expected = (
        TEMPLATE.replace(b"7.00,,88", b"7.00,2.00,88").replace(b"8.00,1.00", b"8.00,4.50").replace(b",,-,", b",,EX,")
    )
    assert filled.data == expected
    assert (filled.column, filled.filled, filled.unmatched, filled.left) == (
        "29 RoPE (4401)",
        3,
        ("Student, Test",),
        (),
    )


def test_canvas_takes_it() -> None:
    before, after = imported(TEMPLATE), imported(canvas.fill(TEMPLATE, MARKS, "4401", find).data)
    assert {id: grades["4401"] for id, grades in after.items()} == {
        "1007": "2.00",
        "1008": "4.50",
        "1009": "EX",
        "9999": "",
    }
    assert [g["17"] for g in after.values()] == [g["17"] for g in before.values()]
    assert Decimal(after["1008"]["4401"]) == Decimal("4.5")


def test_semicolons_stay_semicolons() -> None:
    template = b"Student;ID;SIS Login ID;Section;RoPE (1)\nSeven, Sample;1;s07;A;\nX, Y;2;zz;A;3,5\n"
    filled = canvas.fill(template, {"s7": "2.00"}, "RoPE", find)
    assert filled.data == template.replace(b"A;\n", b"A;2.00\n")


def test_who_is_not_there_is_named() -> None:
    filled = canvas.fill(TEMPLATE, {"s10": "1.00"}, "29 RoPE", find)
    assert filled.data == TEMPLATE and filled.left == ("s10",) and len(filled.unmatched) == 4


def test_two_of_one_name_get_nothing_by_name() -> None:
    template = (HEAD + '"Twin, Kim",5,,,A,,,\r\n').encode()
    assert canvas.fill(template, {"s10": "1.00", "s11": "2.00"}, "29 RoPE", find).filled == 0


def test_ids_that_disagree_get_nothing() -> None:
    template = (HEAD + '"Seven, Sample",1009,,s07,A,,,\r\n').encode()
    assert canvas.fill(template, MARKS, "29 RoPE", find).unmatched == ("Seven, Sample (may be s7 or s9)",)
    template = (HEAD + '"Seven, Sample",,s9,,A,,,\r\n').encode()  # an id is one student's, the name another's
    assert canvas.fill(template, MARKS, "29 RoPE", find).filled == 0


def test_a_number_of_canvas_that_is_by_chance_an_id_is_nobodys() -> None:
    roster = Roster((Student("1", "One, Ann", login="ann"), Student("2", "Two, Bob"), Student("3")))
    lines = ('"Two, Bob",1,,,A,,,', '"One, Ann",2,,ann,A,,,', "Stranger,2,,,A,,,", "Nameless,3,,,A,,,")
    template = (HEAD + "\r\n".join(lines)).encode()
    marks = {"1": "1.00", "2": "2.00", "3": "3.00"}
    filled = canvas.fill(template, marks, "29 RoPE", lambda word: roster.find(word).student)
    taken = imported(filled.data + b"\r\n")
    assert [grades["4401"] for grades in taken.values()] == ["2.00", "", "3.00"] and len(taken) == 3
    assert filled.unmatched == ("Stranger",) and b'One, Ann",2,,ann,A,,1.00,' in filled.data


WRONG = [
    (b"a,b\n1,2\n", "29 RoPE", "no Canvas gradebook"),
    (TEMPLATE, "RoPE", "no column RoPE. Name one with --column: Quiz"),
    (TEMPLATE, "Final Score", "as read only"),
    (TEMPLATE, "ID", "no column ID"),
    (TEMPLATE.replace(b"Quiz (17)", b"29 RoPE (18)"), "29 RoPE", "2 columns 29 RoPE"),
    (TEMPLATE + b'"Seven, Sample",,,s07,A,,,\r\n', "29 RoPE", "Two rows of the gradebook are s7's"),
]


@pytest.mark.parametrize(("template", "column", "said"), WRONG, ids=[said for _, _, said in WRONG])
def test_what_canvas_would_not_take(template: bytes, column: str, said: str) -> None:
    with pytest.raises(KataError) as told:
        canvas.fill(template, MARKS, column, find)
    assert said in str(told.value)


LINES = 'Student,ID,SIS Login ID,Section,RoPE (4401)\n    Points Possible,,,,10.00\n"Seven, Sample",7,s07,A,@\n'
TALL = LINES.replace("Section", "Height,Section").replace("Possible,,,", "Possible,,,,").replace("s07,", 's07,5" tall,')
ODD = {
    "byte order mark": BOM + LINES,
    "Windows lines": LINES.replace("\n", "\r\n"),
    "old lines": LINES.replace("\n", "\r"),
    "no last line end": LINES.rstrip(),
    "blank lines": LINES.replace("\n", "\n\n"),
    "semicolons": LINES.replace(",", ";").replace("Seven;", "Seven,"),
    "every cell quoted": "\n".join('"' + '","'.join(row) + '"' for row in csv.reader(io.StringIO(LINES))).replace(
        '"@"', "@"
    ),
    "a muted row": LINES.replace("    Points", ",,,,Muted\n    Points"),
    "manual posting": LINES.replace("    Points", ",,,,Manual Posting (Hidden)\n    Points"),
    "first and last name": LINES.replace("Student", "LastName,FirstName")
    .replace("Possible,", "Possible,,")
    .replace('"Seven, Sample"', "Seven,Sample"),
    "only the name": LINES.replace("7,s07", ","),
    "all columns of Canvas": LINES.replace("SIS Login ID,", "SIS User ID,SIS Login ID,Integration ID,Root Account,")
    .replace("Possible,,,", "Possible,,,,,,")
    .replace("7,s07,", "7,,s07,,x.example,"),
    "a title with a comma": LINES.replace("RoPE (4401)", '"Week 3, masks: RoPE (4401)"'),
    "a title of two lines": LINES.replace("RoPE (4401)", '"Week 3\nRoPE (4401)"'),
    "an inch": TALL,
    "another with a number": LINES.replace("RoPE", "Quiz (4401) again (9),RoPE")
    .replace(",10.00", ",,10.00")
    .replace("A,", "A,,"),
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
@pytest.mark.parametrize("old", ["", "3.50", '"3,5"', "-", "N/A", "EX"])
def test_odd_gradebooks_change_by_one_cell(text: str, old: str) -> None:
    filled = canvas.fill(text.replace("@", old).encode(), {"s7": "2.00"}, "4401", find)
    assert filled.data == text.replace("@", "2.00").encode()
    assert (filled.filled, filled.unmatched, filled.left) == (1, (), ())


def test_a_row_that_is_cut_is_named() -> None:
    filled = canvas.fill((LINES + "X\n").encode(), {"s7": "2.00"}, "4401", find)
    assert (filled.filled, filled.unmatched) == (1, ("row 4 has 1 cells where the first line has 5",))
