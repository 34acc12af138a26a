"""The gradebook is private, whole after every change, and older ones are brought up to date."""

import sqlite3
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from kata.classroom import gradebook, schema
from kata.classroom.gradebook import Gradebook
from kata.classroom.keys import Basis
from kata.classroom.model import Answer, Delivery
from kata.errors import KataError
from kata.model import Error, Limits
from tests.classroom.people import report

BASIS = Basis(7, 5, 3, Limits(), "0", "2", "strict")
TIME = datetime(2026, 10, 12, 9, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    gradebook.create(tmp_path)
    return tmp_path


def delivery(student: str = "s1", source: bytes = b"x", time: datetime | None = TIME) -> Delivery:
    return Delivery(student, "week-1", (Answer(7, "07.py", source),), time)


def judge(book: Gradebook, reason: str = "graded", basis: Basis = BASIS) -> None:
    """Gives every answer a result."""
    for held in book.held():
        book.keep(basis, held.content, report())
        book.adopt([(held.id, basis.key(held.content))], reason)


def test_it_is_private_and_has_a_seed_of_128_bits(folder: Path) -> None:
    assert stat.S_IMODE((folder / gradebook.FILE).stat().st_mode) == 0o600
    with Gradebook(folder) as book:
        assert len(bytes.fromhex(book.seed)) == 16
    assert [path.name for path in folder.iterdir()] == [gradebook.FILE]


@pytest.mark.parametrize("end", ["", "-wal", "-shm"])
def test_what_is_left_of_a_gradebook_is_never_mixed_with_a_new_one(tmp_path: Path, end: str) -> None:
    (tmp_path / f"{gradebook.FILE}{end}").write_bytes(b"marks")
    with pytest.raises(KataError, match=f"{gradebook.FILE}{end} already; nothing was changed"):
        gradebook.create(tmp_path)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"marks"]


def test_one_that_can_not_be_finished_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(book: Gradebook, name: str, value: str) -> None:
        raise KataError("database or disk is full")

    with monkeypatch.context() as patch, pytest.raises(KataError, match="full"):
        patch.setattr(Gradebook, "set", full)
        gradebook.create(tmp_path)
    assert [*tmp_path.iterdir()] == []
    (tmp_path / gradebook.FILE).touch()  # as an older kata left it
    with Gradebook(tmp_path) as book, pytest.raises(KataError, match="was never finished"):
        _ = book.seed


def test_what_is_known_already_is_no_new_attempt(folder: Path) -> None:
    with Gradebook(folder) as book:
        assert book.deliver([delivery(), delivery("s2"), delivery(source=b"y", time=TIME + timedelta(hours=1))]) == 3
        assert book.deliver([delivery(), delivery("s2")]) == 0
        assert [a.index for a in book.attempts() if a.student == "s1"] == [1, 2]


def test_what_was_handed_in_at_one_moment_has_one_number(folder: Path) -> None:
    with Gradebook(folder) as book:
        book.deliver([delivery(), delivery(source=b"y"), delivery(source=b"z", time=TIME + timedelta(hours=1))])
        assert [a.index for a in book.attempts()] == [1, 1, 2]
        book.deliver([delivery("s2", time=None), delivery("s2", b"y", None)])
        assert [a.index for a in book.attempts() if a.student == "s2"] == [1, 2]


def test_a_time_that_comes_later_is_added(folder: Path) -> None:
    with Gradebook(folder) as book:
        book.deliver([delivery(time=None)])
        book.deliver([delivery()])
        book.deliver([delivery(time=None)])
        assert [a.submitted for a in book.attempts()] == [TIME]


def test_results_stand_and_their_history_stays(folder: Path) -> None:
    with Gradebook(folder) as book:
        book.deliver([delivery()])
        judge(book)
        judge(book, "regraded", Basis(7, 6, 3, Limits(), "0", "2", "strict"))
        (held,) = book.held()
        assert [reason for _, reason, _ in book.history(held.id)] == ["graded", "regraded"]
        assert held.key is not None and book.basis(held.key).version == 6
        assert book.attempts()[0].answers[0].report == report()


def test_a_refused_file_is_held_with_its_reason(folder: Path) -> None:
    refused = Error("too_large", "07.py is too large")
    with Gradebook(folder) as book:
        book.deliver([Delivery("s1", "week-1", (Answer(7, "07.py", b"", refused),))])
        assert book.held()[0].refused == refused


def test_a_full_disk_loses_nothing_that_was_written(folder: Path) -> None:
    with Gradebook(folder) as book:
        book.deliver([delivery()])
        (pages,) = book._db.execute("PRAGMA page_count").fetchone()
        book._db.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(KataError, match=r"full.*run the same command again"):
            book.deliver([delivery("s2"), delivery("s3", b"y" * 10**6)])
        assert [held.student for held in book.held()] == ["s1"]
        book._db.execute("PRAGMA max_page_count = 100000")
        assert book.deliver([delivery("s2"), delivery("s3", b"y" * 10**6)]) == 2


def test_an_older_gradebook_is_brought_up_to_date(tmp_path: Path) -> None:
    old = sqlite3.connect(tmp_path / gradebook.FILE)
    old.executescript(schema.STEPS[0] + "PRAGMA user_version = 1;")
    old.execute("INSERT INTO meta VALUES ('seed', ?)", ("00" * 16,))
    old.execute("INSERT INTO deliveries VALUES (1, 'week-1', 's1', 'd', NULL, 'now')")
    old.execute("INSERT INTO answers VALUES (1, 1, 7, '07.py', 'c', NULL)")
    old.commit()
    old.close()
    with Gradebook(tmp_path) as book:
        assert [held.student for held in book.held()] == ["s1"]
        book.blame(BASIS, "c", "the judge was lost")
        assert book.attempts()[0].answers[0].fault == "the judge was lost"
        assert book._db.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)


def test_a_newer_gradebook_is_left_alone(folder: Path) -> None:
    with sqlite3.connect(folder / gradebook.FILE) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(KataError, match="made by a newer kata"):
        Gradebook(folder)


def test_what_is_no_gradebook(tmp_path: Path) -> None:
    with pytest.raises(KataError, match="kata classroom init"):
        Gradebook(tmp_path)
    (tmp_path / gradebook.FILE).write_bytes(b"not a database" * 100)
    with pytest.raises(KataError, match="damaged or no gradebook"):
        Gradebook(tmp_path)


def test_damage_is_told_wherever_it_is_met(folder: Path) -> None:
    with Gradebook(folder) as book:
        book.deliver([delivery()])
    path = folder / gradebook.FILE
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
    for read in (Gradebook.held, Gradebook.attempts, lambda book: book.seed):
        with pytest.raises(KataError, match=r"gradebook.db is damaged or no gradebook"), Gradebook(folder) as book:
            read(book)


def test_one_that_belongs_to_another_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    with pytest.raises(KataError, match="must be your own file"):
        Gradebook(folder)


def test_forgetting_leaves_no_trace_in_the_file(folder: Path) -> None:
    with Gradebook(folder) as book:
        book.deliver([delivery("s1", b"UNMISTAKABLE-1"), delivery("s2", b"SHARED-2"), delivery("s1", b"SHARED-2")])
        judge(book)
        assert book.forget("s1") == 2
        assert [held.student for held in book.held()] == ["s2"]
        assert book.attempts()[0].answers[0].report is not None
    data = b"".join(path.read_bytes() for path in folder.iterdir())
    assert b"UNMISTAKABLE-1" not in data and b"SHARED-2" in data and b"s1" not in data.split(b"CREATE")[-1]
