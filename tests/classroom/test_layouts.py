"""How platforms lay out submissions, as far as their own naming rules are known."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from kata.classroom.entries import Entry
from kata.classroom.layouts import Layout, owned, recognise, unwrapped
from kata.errors import KataError


def entries(*paths: str, **contents: bytes) -> list[Entry]:
    def entry(path: str) -> Entry:
        return Entry(tuple(path.split("/")), lambda: contents.get(path.replace(".", "_"), b""))

    return [entry(path) for path in paths]


CANVAS = ("unicodeana_501_9001_04.py", "beebob_LATE_502_9002_04-2.py", "deecy_503_9003_my_file_1.py")
MOODLE = ("Ana Ünicode_7001_assignsubmission_file_/04.py", "Bob Bee_7002_assignsubmission_file_04.py")
GRADESCOPE = ("submission_11/04.py", "submission_12/src/04.py", "submission_metadata.yml")
LAYOUTS: list[tuple[Layout, tuple[str, ...]]] = [
    ("canvas", CANVAS),
    ("moodle", MOODLE),
    ("gradescope", GRADESCOPE),
    ("folders", ("ana/04.py", "bob/04.py", "README.md")),
    ("folders", ("masks-ana/04.py", "masks-gh-bob/04.py")),
    ("files", ("ana.py", "bob.ipynb", "extra/cy.py")),
]


@pytest.mark.parametrize(("layout", "paths"), LAYOUTS)
def test_layouts_are_recognised(layout: Layout, paths: tuple[str, ...]) -> None:
    assert recognise(entries(*paths)) == layout


def test_canvas_says_who_which_version_and_late() -> None:
    ana, bob, cy = owned(entries(*CANVAS), "canvas")
    assert (ana.words, ana.inside, ana.late, ana.version) == (("501", "unicodeana"), ("04.py",), False, 0)
    assert (bob.words, bob.inside, bob.late, bob.version) == (("502", "beebob"), ("04.py",), True, 2)
    assert cy.inside == ("my_file_1.py",)


def test_moodle_says_who() -> None:
    ana, bob = owned(entries(*MOODLE), "moodle")
    assert (ana.words, ana.inside) == (("7001", "Ana Ünicode"), ("04.py",))
    assert (bob.words, bob.inside) == (("7002", "Bob Bee"), ("04.py",))


METADATA = b"""---
submission_11:
  :submitters:
  - :name: Ana \xc3\x9cnicode
    :sid: 's1'
    :email: ana@x.example
  :created_at: 2026-10-12 09:59:58.123456789 Z
  :score: 5.0
  :history:
  - :id: 3
    :created_at: 2026-10-01 00:00:00.000000000 Z
submission_12:
  :submitters:
  - :name: Bob Bee
  :created_at: 2026-10-12 10:00:00.000000000 +02:00
"""


PRINTED = b"""submission_11:
  :submitters:
  - :name: Ana \xc3\x9cnicode
    :email: ana@x.example
  :created_at: 2026-10-12 09:59:58 Z
  :results:
    :tests:
    - :name: Bob Bee
      :output: |
        submission_12:
          :submitters:
          - :email: bob@x.example
          :created_at: 2026-01-01 00:00:00 Z
    :email: bob@x.example
submission_12:
  :submitters:
  - :email: cy@x.example
"""


def test_what_an_autograder_printed_says_nobody() -> None:
    found = list(owned(entries(*GRADESCOPE, submission_metadata_yml=PRINTED), "gradescope"))
    assert [each.words for each in found] == [("Ana Ünicode", "ana@x.example"), ("cy@x.example",)]
    assert found[0].time == datetime(2026, 10, 12, 9, 59, 58, tzinfo=UTC) and found[1].time is None


def test_gradescope_says_who_and_when() -> None:
    found = list(owned(entries(*GRADESCOPE, submission_metadata_yml=METADATA), "gradescope"))
    assert found[0].words == ("Ana Ünicode", "s1", "ana@x.example")
    assert found[0].time == datetime(2026, 10, 12, 9, 59, 58, 123456, UTC)
    assert found[1].words == ("Bob Bee",) and found[1].time == datetime(2026, 10, 12, 8, tzinfo=UTC)
    assert len(found) == 2


def test_what_all_clones_share_is_no_name() -> None:
    ana, bob = owned(entries("masks-ana/04.py", "masks-gh-bob/a/04.py"), "folders")
    assert "ana" in ana.words and "gh-bob" in bob.words and bob.inside == ("a", "04.py")


@pytest.mark.parametrize("shared", ["masks-", "week-3-masks-"])
def test_logins_that_begin_alike_are_whole(shared: str) -> None:
    vries, boer = owned(entries(f"{shared}de-vries/04.py", f"{shared}de-boer/04.py"), "folders")
    assert "de-vries" in vries.words and "de-boer" in boer.words


def test_the_second_half_of_a_persons_name_is_no_login() -> None:
    ana, _ = owned(entries("Jean-Pierre Roux/04.py", "Jean-Paul Roux/04.py"), "folders")
    assert ana.words == ("Jean-Pierre Roux",)


def known(*ids: str) -> Callable[..., str | None]:
    return lambda *words: next((word for word in words if word in ids), None)


def tops(found: list[Entry]) -> list[str]:
    return [entry.parts[0] for entry in found]


def test_wrapping_folders_fall_away_but_not_a_students_own() -> None:
    wrapped = entries("export/week-1/ana/04.py", "export/week-1/bob/04.py")
    assert [e.parts for e in unwrapped(wrapped, "in", known())] == [("ana", "04.py"), ("bob", "04.py")]
    alone = unwrapped(entries("export/ana/src/04.py"), "in", known("ana"))
    assert alone[0].parts == ("ana", "src", "04.py")
    given = unwrapped(entries("04.py", "29.py"), "ana", known("ana"))
    assert [e.parts for e in given] == [("ana", "04.py"), ("ana", "29.py")]


def test_a_week_is_no_student_though_one_has_its_number() -> None:
    people = known("3", "1", "2", "unicodeana", "Ana")
    assert tops(unwrapped(entries("1/04.py", "3/04.py"), "3", people)) == ["1", "3"]
    assert (
        tops(unwrapped(entries("unicodeana_501_9001_04.py", "x_502_9002_04.py"), "3", people))[1] == "x_502_9002_04.py"
    )
    assert tops(unwrapped(entries("3/Ana_7_assignsubmission_file_/04.py"), "in", people)) == [
        "Ana_7_assignsubmission_file_"
    ]


@pytest.mark.parametrize(
    "inside", [("4.py", "29.py"), ("4/mask.py",), ("masks-4/04.py", "masks-5/04.py"), (CANVAS[0],)]
)
def test_a_folder_of_one_or_of_several_is_never_guessed(inside: tuple[str, ...]) -> None:
    people = known("4", "7")
    for found, given in ((entries(*inside), "7"), (entries(*(f"7/{path}" for path in inside)), "in")):
        with pytest.raises(KataError, match="7 may be the folder of the student 7, or hold what others handed in"):
            unwrapped(found, given, people)
    put_into_a_folder = entries(*(f"7/{path}" for path in inside))
    assert set(tops(unwrapped(put_into_a_folder, "in", people, "folders"))) == {"7"}
    assert tops(unwrapped(entries(*inside), "7", people, recognise(entries(*inside)))) == tops(entries(*inside))
