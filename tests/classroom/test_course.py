"""course.toml is read strictly, and what is wrong is said in a sentence."""

import re
import shutil
from pathlib import Path

import pytest
from msgspec.structs import fields, replace

from kata.classroom import course
from kata.classroom.model import Assignment, Course, Late, OwnLimits
from kata.errors import KataError
from tests.classroom.class_of import EXAMPLE
from tests.classroom.people import COURSE, class_folder

WRONG = [
    ("name = 3", 'name = "A course"', "name: Expected str, got int"),
    ("points = 0\nduee = 3", "points = 5", "assignment 1: it contains unknown field duee"),
    ("due = 2026-10-12T21:59:00", "due = 2026-10-12T21:59:00Z", "assignment 1, due: Expected a time with its zone"),
    ("rate = 1.5", "rate = 0.1", "late, rate: Expected float <= 1.0"),
    ('kind = "daily"', 'kind = "per_day"', "late, kind: Invalid enum value 'daily'"),
    ('name = "week 1"', 'name = "week-1"', "assignment 1, name: Expected str matching regex"),
    ("problems = { 8 = 1 }", "problems = {{ 7 = 1 }}", "assignment week-1 has problem 8, which"),
    ("problems = { }", "problems = {{ 7 = 1 }}", "assignment week-1 has no problem"),
    ("problems = { 7 = 0 }", "problems = {{ 7 = 1 }}", "at least one weight must be above 0"),
    ("problems = { 7 = 1, 07 = 1 }", "problems = {{ 7 = 1 }}", "names one problem twice"),
    ('problems = { "²" = 1 }', "problems = {{ 7 = 1 }}", "assignment week-1 has problem ², which"),
    ("problems = { %s = 1 }" % ("9" * 5000), "problems = {{ 7 = 1 }}", "assignment week-1 has problem 999"),
    ("problems = { 7 = inf }", "problems = {{ 7 = 1 }}", "Expected float <= 1000000.0"),
    ("points = inf\ndue", "due", "assignment 1, points: Expected float <= 1000000.0"),
    ("limits = { memory_mib = 9223372036854775807 }\ndue", "due", "memory_mib: Expected int <= 16777216"),
    ("problems = { 7 = -1 }", "problems = {{ 7 = 1 }}", "Expected float >= 0.0"),
    ('sandbox = "none"', 'sandbox = "process"', "sandbox: Invalid enum value 'none'"),
    ("limits = { cpu_seconds = 0 }\ndue", "due", "assignment 1, limits, cpu_seconds: Expected float > 0.0"),
    ("name = [", 'name = "A course"', "is not TOML"),
]


@pytest.mark.parametrize(("new", "old", "said"), WRONG, ids=[new for new, _, _ in WRONG])
def test_what_is_wrong_is_said(tmp_path: Path, new: str, old: str, said: str) -> None:
    text = COURSE.replace("due =", "points = 5\ndue =") if old.startswith("points") else COURSE
    assert old in text
    room = class_folder(tmp_path)
    text = text.replace(old, new.replace("{", "{{").replace("}", "}}")).format(track=tmp_path / "track")
    (room / "course.toml").write_text(text)
    with pytest.raises(KataError) as told:
        course.load(room)
    assert said in str(told.value) and "course.toml" in str(told.value)


def test_two_assignments_of_one_name(tmp_path: Path) -> None:
    room = class_folder(tmp_path, COURSE + '[[assignment]]\nname = "Week-1"\nproblems = {{ 7 = 1 }}\n')
    with pytest.raises(KataError, match="two assignments named week-1"):
        course.load(room)


def test_which_assignment_is_meant(tmp_path: Path) -> None:
    room = course.load(class_folder(tmp_path))
    assert room.assignment(None).name == "week-1"
    with pytest.raises(KataError, match="no assignment week-2: --assignment week-1"):
        room.assignment("week-2")


def test_a_track_that_is_none(tmp_path: Path) -> None:
    room = class_folder(tmp_path)
    (room / "course.toml").write_text(COURSE.format(track=tmp_path / "nowhere"))
    with pytest.raises(KataError, match=r"course.toml: its track is absolute, or named .*nowhere is not a track"):
        course.load(room)


def test_no_course_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(KataError, match="kata classroom init"):
        course.find(None)
    room = class_folder(tmp_path)
    (room / "deep").mkdir()
    monkeypatch.chdir(room / "deep")
    assert course.find(None) == room


def test_the_template_is_a_course(tmp_path: Path) -> None:
    shutil.copyfile(course.TEMPLATE, tmp_path / "course.toml")
    made = course.load(tmp_path).course
    assert made.sandbox == "strict" and made.assignment[0].due is not None and made.late.rate == 0.1


FILES = (course.TEMPLATE, EXAMPLE / "course.toml")


@pytest.mark.parametrize("file", FILES, ids=["template", "example"])
def test_every_key_is_explained_where_it_stands(file: Path) -> None:
    """All keys that there are stand in the file, those in use and those that are commented out, each with a remark."""
    text = file.read_text("utf-8")
    kinds = (Course, Late, Assignment, OwnLimits)
    tables = {"assignment", "late", "limits"}
    for key in {field.name for kind in kinds for field in fields(kind)} - tables:
        places = [m.start() for m in re.finditer(rf"^(?:# )?{key} = ", text, re.MULTILINE)]
        assert places, f"{key} is missing"
        for at in places[:1]:
            line, before = text[at:].split("\n")[0], text[:at].rstrip("\n").split("\n")[-1]
            assert " # " in line[2:] or before.startswith("# "), f"{key} is not explained"


def test_what_is_commented_out_can_be_used(tmp_path: Path) -> None:
    """Taking the # away from every key gives a course, too."""
    text = re.sub(r"^# (?=\[|[a-z_]+ = )", "", course.TEMPLATE.read_text("utf-8"), flags=re.MULTILINE)
    (tmp_path / "course.toml").write_text(text, "utf-8")
    (made,) = course.load(tmp_path).course.assignment
    assert made.late == Late(kind="cutoff") and made.limits == OwnLimits(4, 60, 1024, 120)


def test_limits_that_are_not_named_are_the_problem_s_own(tmp_path: Path) -> None:
    room = course.load(class_folder(tmp_path, COURSE + "limits = {{ submission_seconds = 5 }}\n"))
    (asked,) = room.course.assignment
    (problem,) = room.problems(asked).values()
    assert room.limits(asked, problem) == replace(problem.limits, submission_seconds=5.0)
    assert problem.limits.cpu_seconds == 2 and problem.limits.memory_mib == 512
