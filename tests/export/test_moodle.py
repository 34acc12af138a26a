"""Moodle's own worksheet with its grades filled in, read back by the rules of its importer.

The rules are those of moodle mod/assign/feedback/offline/importgradeslib.php, restated below; no real Moodle was asked.
"""

import csv
import io
import re

import pytest

from kata.classroom.model import Student
from kata.classroom.roster import Roster
from kata.errors import KataError
from kata.export import moodle

ROSTER = Roster(
    (
        Student("s7", "Seven, Sample", "s07@x.example"),
        Student("s8", "Eight, Sample", "s08@x.example"),
        Student("s9", "N"),
    )
)
HEAD = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\n"
)
WHEN = '"Tuesday, 3 February 2026, 10:00 AM"'
TEMPLATE = (
    HEAD + f'Participant 5001,"Sample, Seven",S07@x.example,Submitted for grading,,5.00,Yes,{WHEN},-,"old; kept"\n'
    f"Participant 5002,Sample Eight,s08@x.example,No submission,1.00,5.00,No,-,-,\n"
    f"Participant 5003,Nobody Here,no@x.example,No submission,,5.00,Yes,-,-,\n"
).encode()


def find(word: str) -> Student | None:
    return ROSTER.find(word).student


def imported(data: bytes) -> dict[int, float]:
    """The grades that Moodle would take: changed, within the maximum, not locked."""
    rows = csv.DictReader(io.StringIO(data.decode(), newline=""))
    assert {"Identifier", "Grade", "Last modified (grade)"} <= set(rows.fieldnames or ())
    taken = {}
    for row in rows:
        number = re.search(r"\d+$", row["Identifier"])
        grade = float(row["Grade"].replace(",", ".")) if row["Grade"] else -1.0
        if number and 0 <= grade <= float(row["Maximum Grade"]) and row["Grade can be changed"] == "Yes":
            taken[int(number[0])] = grade
    return taken


def test_grades_are_filled_in_and_every_other_byte_stays() -> None:
    filled = moodle.fill(TEMPLATE, {"s7": "4.50"}, "", find)
    assert filled.data == TEMPLATE.replace(b"grading,,5.00", b"grading,4.50,5.00")
    assert imported(filled.data) == {5001: 4.5}
    assert (filled.filled, filled.unmatched) == (1, ("Participant 5002", "Participant 5003"))


def test_what_moodle_would_skip_without_a_word_is_named() -> None:
    filled = moodle.fill(TEMPLATE, {"s7": "5.50", "s8": "2.00", "s9": "1.00"}, "", find)
    assert filled.data == TEMPLATE
    assert filled.refused == (
        "s7: 5.50 is more than Moodle's maximum of 5.00",
        "s8: Moodle says that the grade can't be changed",
    )
    assert filled.left == ("s9",)
    assert moodle.fill(TEMPLATE, {"s7": "EX"}, "", find).refused == ("s7: Moodle takes no EX in a worksheet",)
    scale = TEMPLATE.replace(b",5.00,", b",good/bad,")
    assert "scale" in moodle.fill(scale, {"s7": "1.00"}, "", find).refused[0]


def test_a_translated_worksheet_goes_by_number_and_column() -> None:
    template = (
        "Identifikator,Vollständiger Name,Status,Bewertung\nTeilnehmer/in 5001,S,x,\nTeilnehmer/in 6,T,x,\n".encode()
    )
    roster = Roster((Student("s7", other=("5001",)),))
    filled = moodle.fill(template, {"s7": "4.50"}, "Bewertung", lambda w: roster.find(w).student)
    assert filled.data == template.replace(b"S,x,\n", b"S,x,4.50\n", 1)
    with pytest.raises(KataError, match="--column"):
        moodle.fill(template, {"s7": "4.50"}, "", find)


def test_two_rows_of_one_student() -> None:
    again = TEMPLATE + TEMPLATE.splitlines(keepends=True)[1]
    with pytest.raises(KataError, match="Two rows"):
        moodle.fill(again, {"s7": "4.50"}, "", find)


SHORT = "Identifier,Full name,Email address,Grade,Maximum Grade,Last modified (grade)\n"
SHORT += 'Participant 5001,"Sample, Seven",s07@x.example,§,5.00,-\n'
ODD = {
    "byte order mark": "\ufeff" + SHORT,
    "Windows lines": SHORT.replace("\n", "\r\n"),
    "no last line end": SHORT.rstrip(),
    "blank lines": SHORT + "\n\n",
    "semicolons": SHORT.replace(",", ";").replace("Sample;", "Sample,"),
    "every cell quoted": "\n".join('"' + '","'.join(row) + '"' for row in csv.reader(io.StringIO(SHORT))).replace(
        '"§"', "§"
    ),
    "hidden names": SHORT.replace("Full name,Email address,", "").replace('"Sample, Seven",s07@x.example,', ""),
    "an ID number": SHORT.replace("Full name,", "Full name,ID number,").replace('Seven",', 'Seven",s7,'),
    "a workflow": SHORT.replace("Last", "Marking workflow state,Last").replace("5.00,-", "5.00,Not marked,-"),
    "a group": SHORT.replace("Grade,Max", "Group,Grade,Max").replace("example,", "example,Group 1,"),
    "feedback of two lines": SHORT.replace("(grade)", "(grade),Feedback comments").replace(
        ",-", ',-,"one,\ntwo ""2"""'
    ),
    "a maximum with a comma": SHORT.replace("5.00", '"5,00"'),
    "a German maximum": SHORT.replace(",", ";").replace("Sample;", "Sample,").replace("5.00", "5,00"),
}
NUMBERED = Roster((*ROSTER.students[1:], Student("s7", "Seven, Sample", "s07@x.example", other=("5001",))))


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
@pytest.mark.parametrize("old", ["", "3.50", '"3,5"', "-"])
def test_odd_worksheets_change_by_one_cell(text: str, old: str) -> None:
    filled = moodle.fill(text.replace("§", old).encode(), {"s7": "2.00"}, "", lambda w: NUMBERED.find(w).student)
    assert filled.data == text.replace("§", "2.00").encode()
    assert (filled.filled, filled.unmatched, filled.left, filled.refused) == (1, (), (), ())


def test_an_id_and_an_address_that_disagree_get_nothing() -> None:
    text = SHORT.replace("Full name,", "Full name,ID number,").replace('Seven",', 'Seven",s9,').replace("§,", ",")
    filled = moodle.fill(text.encode(), {"s7": "2.00", "s9": "1.00"}, "", find)
    assert filled.filled == 0 and filled.unmatched == ("Participant 5001 (may be s7 or s9)",)


def test_a_row_that_is_cut_is_named() -> None:
    filled = moodle.fill((SHORT.replace("§,", ",") + "X\n").encode(), {"s7": "2.00"}, "", find)
    assert (filled.filled, filled.unmatched) == (1, ("row 3 has 1 cells where the first line has 6",))
