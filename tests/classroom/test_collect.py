"""From a folder or zip to deliveries, with everything else named."""

import os
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kata.classroom import archive, course
from kata.classroom.collect import Times, collect, times
from kata.classroom.model import Collected, Student
from kata.classroom.roster import Roster
from kata.errors import KataError
from tests import tiny
from tests.classroom.people import RIGHT, STUDENTS, WRONG, class_folder

NAME = f"{tiny.NAME}.py"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> course.Class:
    return course.load(class_folder(tmp_path_factory.mktemp("class")))


def taken(room: course.Class, source: Path, when: Times = Times()) -> tuple[dict[str, bytes], list[tuple[str, str]]]:  # noqa: B008
    """Each student's source, and (kind, path) of every note."""
    found: Collected = collect(source, room, room.assignment(None), Roster(STUDENTS), when)
    return {d.student: d.answers[0].source for d in found.deliveries}, [(n.kind, n.path) for n in found.notes]


def write(root: Path, **files: bytes) -> Path:
    for name, data in files.items():
        path = root.joinpath(*name.split("/"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def packed(root: Path, file: Path) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for path in sorted(root.rglob("*")):
            made.write(path, path.relative_to(root))
    return file


METADATA = b"submission_1:\n  :submitters:\n  - :email: ana@x.example\nsubmission_2:\n  :submitters:\n  - :sid: s2\n"
LAYOUTS = {
    "folders": {f"ana/{NAME}": RIGHT, f"Bee, Bob/{NAME}": WRONG},
    "clones": {f"masks-ana/{NAME}": RIGHT, f"masks-gh-bob/src/{NAME}": WRONG},
    "canvas": {
        f"unicodeana_1_2_{NAME}": RIGHT,
        f"beebob_LATE_5002_4_{NAME}": b"old",
        "beebob_LATE_5002_5_07_double_and_shift-1.py": WRONG,
    },
    "moodle": {
        f"Ana Ünicode_9_assignsubmission_file_/{NAME}": RIGHT,
        f"Bob Bee_5002_assignsubmission_file_{NAME}": WRONG,
    },
    "files": {"ana.py": RIGHT, "BOB.py": WRONG},
    "wrapped": {f"a/b/ana/{NAME}": RIGHT, f"a/b/bob/deep/{NAME}": WRONG, "a/__MACOSX/x.py": b""},
    "gradescope": {
        f"export/submission_1/{NAME}": RIGHT,
        f"export/submission_2/{NAME}": WRONG,
        "export/submission_metadata.yml": METADATA,
    },
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_folder_and_its_zip_give_the_same(room: course.Class, tmp_path: Path, name: str) -> None:
    root = write(tmp_path / "in", **LAYOUTS[name])
    expected = {"s1": RIGHT, "s2": WRONG}
    assert taken(room, root)[0] == taken(room, packed(root, tmp_path / "in.zip"))[0] == expected


def test_zips_of_students_are_opened(room: course.Class, tmp_path: Path) -> None:
    write(tmp_path / "mine", **{NAME: RIGHT})
    root = write(tmp_path / "in", **{f"bob/{NAME}": WRONG})
    (root / "ana").mkdir()
    packed(tmp_path / "mine", root / "ana" / "work.zip")
    assert taken(room, root)[0] == {"s1": RIGHT, "s2": WRONG}


@pytest.mark.parametrize("names", [("ana.zip", "Bee, Bob.ZIP"), ("ana.zip", "bob/work.zip")])
def test_a_zip_for_each_student_says_whose_it_is(room: course.Class, tmp_path: Path, names: tuple[str, str]) -> None:
    root = tmp_path / "in"
    for name, answer in zip(names, (RIGHT, WRONG), strict=True):
        write(root, **{name: b""})
        packed(write(tmp_path / name, **{NAME: answer}), root / name)
    assert taken(room, root)[0] == {"s1": RIGHT, "s2": WRONG}
    (root / names[1]).unlink()
    assert taken(room, root)[0] == {"s1": RIGHT}


def test_everything_that_is_not_taken_is_named(room: course.Class, tmp_path: Path) -> None:
    root = write(
        tmp_path / "in",
        **{
            f"ana/{NAME}": RIGHT,
            "bob/a/07.py": b"1",
            "bob/b/07.py": b"2",
            f"nobody/{NAME}": RIGHT,
            "cy/notes.txt": b"later",
            f"Dee Cyy/{NAME}": RIGHT,
        },
    )
    os.mkfifo(root / "ana" / "pipe")
    (root / "s3").symlink_to(root / "ana")
    got, notes = taken(room, root)
    assert got == {"s1": RIGHT}
    assert sorted(notes) == sorted(
        [
            ("refused", "ana/pipe"),
            ("refused", "s3"),
            ("ambiguous", "bob"),
            ("unmatched", "nobody"),
            ("unmatched", "Dee Cyy"),
            ("unmatched", "cy"),
        ]
    )
    told = {n.path: n.text for n in collect(root, room, room.assignment(None), Roster(STUDENTS), Times()).notes}
    assert "notes.txt. A .py or .ipynb is asked for: save it as one" in told["cy"]
    assert "7 may be answered by a/07.py, b/07.py; keep one of them" in told["bob"]


def test_folders_that_mean_one_student_are_a_persons_to_judge(room: course.Class, tmp_path: Path) -> None:
    root = write(tmp_path / "in", **{f"Ana/{NAME}": RIGHT, f"ana/{NAME}": WRONG, f"bob/{NAME}": RIGHT})
    got, notes = taken(room, root)
    assert got == {"s2": RIGHT} and notes == [("ambiguous", "Ana")]


FLAT = {
    "moodle": ("Bob Bee_5_assignsubmission_file_/07.py", "Bob Bee_6_assignsubmission_file_/notes.py"),
    "canvas": ("beebob_5_1_07.py", "beebob_6_2_notes.py"),
}


@pytest.mark.parametrize(("first", "second"), [(9, 10), (10, 11)])
def test_the_last_upload_counts_however_its_number_sorts(
    room: course.Class, tmp_path: Path, first: int, second: int
) -> None:
    files = {f"beebob_5002_{first}_{NAME}": WRONG, f"beebob_5002_{second}_07_double_and_shift-1.py": RIGHT}
    assert taken(room, write(tmp_path / "in", **files)) == ({"s2": RIGHT}, [])


@pytest.mark.parametrize("layout", FLAT)
def test_two_people_of_one_name_are_never_one_student(room: course.Class, tmp_path: Path, layout: str) -> None:
    got, notes = taken(room, write(tmp_path / "in", **dict.fromkeys(FLAT[layout], RIGHT)))
    assert got == {} and ("ambiguous", FLAT[layout][0].split("/")[0]) in notes


def test_a_platforms_number_that_is_somebodys_id_is_no_student(room: course.Class, tmp_path: Path) -> None:
    roster = Roster((Student("17", "Bob Bee", "", "", ("5002",)),))

    def who(top: str) -> list[str]:
        root = write(tmp_path / top, **{f"{top}/{NAME}": RIGHT})
        return [d.student for d in collect(root, room, room.assignment(None), roster, Times()).deliveries]

    assert who("Zoe Other_17_assignsubmission_file_") == []
    assert who("Zoe Other_5002_assignsubmission_file_") == who("Bob Bee_17_assignsubmission_file_") == ["17"]


def test_one_students_own_folder_says_whose_it_is(room: course.Class, tmp_path: Path) -> None:
    mine = write(tmp_path / "bob", **{NAME: RIGHT})
    assert taken(room, mine) == ({"s2": RIGHT}, [])
    assert taken(room, packed(mine, tmp_path / "Bee, Bob.zip")) == ({"s2": RIGHT}, [])
    of_all = write(tmp_path / "ana", **{f"bob/{NAME}": RIGHT, f"ana/{NAME}": WRONG})
    assert taken(room, of_all) == ({"s2": RIGHT, "s1": WRONG}, [])
    flat = write(tmp_path / "again" / "ana", **{"bob.py": RIGHT, "ana.py": WRONG})
    assert taken(room, flat)[0] == {"s2": RIGHT, "s1": WRONG}


def test_names_of_files_are_harmless(room: course.Class, tmp_path: Path) -> None:
    evil = "07_\u202e<b>\x1b]0;x\x07=1.py"
    got, _ = taken(room, write(tmp_path / "in", **{f"ana/{evil}": RIGHT, f"\x1b[2J/{NAME}": RIGHT}))
    found = collect(tmp_path / "in", room, room.assignment(None), Roster(STUDENTS), Times())
    told = [d.answers[0].path for d in found.deliveries] + [n.path for n in found.notes]
    assert got and all(c.isprintable() for c in "".join(told))


def test_times(room: course.Class, tmp_path: Path) -> None:
    roster = Roster(STUDENTS)
    root = write(tmp_path / "in", **{f"ana/{NAME}": RIGHT})
    os.utime(root / "ana" / NAME, (1e9, 1e9))
    table = tmp_path / "times.csv"
    table.write_text("student,submitted\nAna Ünicode,2026-10-12T23:59:00+02:00\n")

    def time(chosen: str | None) -> datetime | None:
        found = collect(root, room, room.assignment(None), roster, times(chosen, roster))
        return found.deliveries[0].submitted

    assert time(None) is None
    assert time("files") == datetime.fromtimestamp(1e9, UTC)
    assert time(str(table)) == datetime(2026, 10, 12, 21, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("who,when\n", "must name student and submitted"),
        ("student,submitted\nzed,2026-10-12T23:59:00Z", "zed is nobody"),
        ("student,submitted\nana,2026-10-12T23:59:00", "is no time with its zone"),
        ("student,submitted\nana,yesterday", "is no time with its zone"),
        ("student,submitted\nana", "line 2: '' is no time with its zone"),
        ('student,submitted\n"ana,2026-10-12T23:59:00Z\nbob,2026-10-12T23:59:00Z', "line 2: this row can't be read"),
        ("student,submitted\nana,2026-10-12T23:59:00Z\ns1,2026-10-13T23:59:00Z", "line 3: s1 has another time"),
    ],
)
def test_a_table_of_times_that_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "times.csv").write_text(text)
    with pytest.raises(KataError, match=said):
        times(str(tmp_path / "times.csv"), Roster(STUDENTS))


def test_late_by_canvas_without_a_time_is_said(room: course.Class, tmp_path: Path) -> None:
    _, notes = taken(room, write(tmp_path / "in", **{f"beebob_LATE_5002_4_{NAME}": WRONG}))
    assert ("time", f"beebob_LATE_5002_4_{NAME}") in notes


def test_nothing_there(room: course.Class, tmp_path: Path) -> None:
    with pytest.raises(KataError, match="There is no"):
        taken(room, tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(KataError, match="There are no files"):
        taken(room, tmp_path / "empty")


def test_nothing_that_can_be_read_is_told_with_why(
    room: course.Class, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(write(tmp_path / "in", **{"ana/.hidden": b""}) / "ana" / "pipe.py")
    with pytest.raises(KataError, match=r"read: ana/.hidden left behind by .* ana/pipe.py is no regular file but"):
        taken(room, tmp_path / "in")
    monkeypatch.setattr(archive, "FILES", 1)
    root = write(tmp_path / "two", **{f"ana/{NAME}": RIGHT, f"bob/{NAME}": WRONG})
    with pytest.raises(KataError, match=r"read: holds 4 files, and of a zip at most 1 are looked at: unpack it"):
        taken(room, packed(root, tmp_path / "two.zip"))


def test_ten_thousand_files(room: course.Class, tmp_path: Path) -> None:
    root = write(tmp_path / "in", **{f"ana/{NAME}": RIGHT, f"bob/{NAME}": WRONG})
    for n in range(10_000):
        (root / "ana" / f"data{n}.txt").touch()
    assert taken(room, root)[0] == {"s1": RIGHT, "s2": WRONG}
