"""What a person decided needs a student, an assignment and a reason."""

from pathlib import Path

import pytest

from kata.classroom.decisions import _value, load
from kata.errors import KataError
from tests.classroom.people import STUDENTS, assignment

HEAD = "student,assignment,kind,value,reason\n"
WRONG = [
    ("s9,week-1,excused,,ill", "no student s9"),
    ("s1,week-9,excused,,ill", "no assignment week-9"),
    ("s1,week-1,forgiven,,ill", "the kind is extension or adjustment or excused"),
    ("s1,week-1,excused,,", "a reason is asked for"),
    ("s1,week-1,extension,soon,ill", "the value of an extension is hours"),
    ("s1,week-1,extension,-3,ill", "the value of an extension is hours"),
    ("s1,week-1,adjustment,nan,ill", "the value of an adjustment is points"),
    ("s1,week-1,excused", "3 cells instead of 5"),
    ("s1,week-1,excused,5,ill", "the value of an excused is nothing"),
    ("s1,week-1,adjustment,1_5,ill", "the value of an adjustment is points"),
    ("s1,week-1,adjustment,٣,ill", "the value of an adjustment is points"),
    ("s1,week-1,adjustment,1e3,ill", "the value of an adjustment is points"),
    ('s1,week-1,excused,,"ill\ns2,week-1,excused,,gone\n', "a quotation mark that opens a cell must close it"),
    ('s1,week-1,excused,,"ill\ns2,week-1,excused,,"gone, far"\n', "a quotation mark that opens a cell must close it"),
    (f"s1,week-1,excused,,{'x' * 200_000}", "this row can't be read"),
]


@pytest.mark.parametrize(("row", "said"), WRONG, ids=[said for _, said in WRONG])
def test_a_decision_that_is_wrong(tmp_path: Path, row: str, said: str) -> None:
    (tmp_path / "decisions.csv").write_text(HEAD + row)
    with pytest.raises(KataError) as told:
        load(tmp_path, STUDENTS, (assignment(),))
    assert said in str(told.value) and "line 2" in str(told.value)


def test_decisions_are_read(tmp_path: Path) -> None:
    assert load(tmp_path, STUDENTS, (assignment(),)) == ()
    (tmp_path / "decisions.csv").write_text("\ufeff" + HEAD + 's1,week-1,extension,48,"ill, with a note"\n')
    (made,) = load(tmp_path, STUDENTS, (assignment(),))
    assert [_value("adjustment", text, "") for text in ("-1.5", "+2", ".5", "3.")] == [-1.5, 2.0, 0.5, 3.0]
    assert (made.kind, made.value, made.reason) == ("extension", 48.0, "ill, with a note")
