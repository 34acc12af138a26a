"""A student is found by any of their names, or not at all."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.classroom.model import Student
from kata.classroom.roster import Roster, folded, joined, parse
from kata.errors import KataError
from tests.classroom.people import STUDENTS

ROSTER = Roster(STUDENTS)


@pytest.mark.parametrize(
    "word",
    [
        "s1",
        "S1",
        "ana",
        "ANA@x.example",
        "Ünicode, Ana",
        "ana unicode",
        "Ana U\u0308nicode",
        "unicodeana",
        "Ünicode_Ana",
        " Ana  Ünicode ",
    ],
)
def test_a_student_is_found(word: str) -> None:
    assert ROSTER.find(word).student == STUDENTS[0]


def test_further_ids_count() -> None:
    assert ROSTER.find("GH-bob").student == ROSTER.find("5002").student == STUDENTS[1]


@pytest.mark.parametrize("word", ["", "an", "unicode", "s4", "bob@y.example", "'; DROP TABLE answers; --", "../../s1"])
def test_nobody_is_guessed(word: str) -> None:
    assert ROSTER.find(word).student is None


def test_what_is_near_is_named_and_not_taken() -> None:
    found = ROSTER.find("Ana Unicod")
    assert found.student is None and "s1 is near, and not taken" in found.why


def test_nothing_is_near_to_a_name_without_letters() -> None:
    assert Roster((Student("1"), Student("2", "***"))).find("!!!").why == "nobody in the roster"


def test_two_of_one_name_are_nobody() -> None:
    twins = Roster((Student("1", "Kim Lee", login="kim1"), Student("2", "Lee, Kim", login="kim2")))
    assert twins.find("kim lee").why == "may be 1 or 2"
    assert twins.find("kim2").student == Student("2", "Lee, Kim", login="kim2")
    assert twins.find("kim2", "kim lee").student == Student("2", "Lee, Kim", login="kim2")


@pytest.mark.parametrize(("one", "other"), [("กัน", "กิน"), ("रोम", "राम"), ("かとう", "がとう")])
def test_marks_that_make_another_letter_are_no_accents(one: str, other: str) -> None:
    roster = Roster((Student("1", f"{one} x"),))
    assert roster.find(f"x {one}").student is not None and roster.find(f"x {other}").student is None
    both = Roster((Student("1", one), Student("2", other)))
    assert [found.id for name in (one, other) if (found := both.find(name).student)] == ["1", "2"]


@pytest.mark.parametrize(
    ("plain", "marked"), [("Nguyen", "Nguyễn"), ("محمد", "محمّد"), ("שלום", "שָׁלוֹם"), ("Ελενη", "Ελένη")]
)
def test_accents_may_be_left_out(plain: str, marked: str) -> None:
    assert folded(plain) == folded(marked) == folded(unicodedata.normalize("NFD", marked))


def test_words_that_disagree_are_nobody() -> None:
    assert ROSTER.find("s1", "Bob Bee").student is None
    assert ROSTER.find("5002", "beebob").student == STUDENTS[1]


WRONG = [
    ("name\nAna", "has no column id"),
    ("id,nmae\n1,Ana", "has a column 'nmae'"),
    ("id\n../x", "line 2: the id '../x'"),
    ("id\n=1", "the id '=1'"),
    ("id\n1\n1", "the id 1 stands there twice"),
    ("id,login\n1,a\n2,A", "a belongs to both 1 and 2"),
    ('id,name\n1,"Ana\n2,Bob\n3,Cy', "line 2: this row can't be read"),
    ("id,name,email\n1,Lee, Ana,ana@x.example", "line 2: 4 cells under 3 columns (id, name, email): a cell that holds"),
    ("name,id\nAna", "line 2: the id ''"),
]


@pytest.mark.parametrize(("text", "said"), WRONG, ids=[said for _, said in WRONG])
def test_a_roster_that_is_wrong(text: str, said: str) -> None:
    with pytest.raises(KataError) as told:
        parse(text, "roster.csv")
    assert said in str(told.value)


def test_names_are_harmless_and_blank_lines_nothing() -> None:
    (student,) = parse('ID,Name\n1,"A\u202eB\x1b[2J"\n,\n', "roster.csv")
    assert "\u202e" not in student.name and "\x1b" not in student.name


@given(st.text(max_size=30), st.text(max_size=30))
def test_order_accents_and_case_say_nothing(first: str, last: str) -> None:
    assert folded(f"{last}, {first}") == folded(f"{first} {last}")
    assert folded(folded(first)) == folded(first)


def test_the_form_of_canvas() -> None:
    assert joined("Ünicode, Ana Maria") == "unicodeanamaria"
    assert joined("Bob Bee") == "beebob"
