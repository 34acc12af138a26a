"""The gradebook: one SQLite file of mode 0600 that holds what was handed in, every result, and the class's seed."""

import hashlib
import os
import secrets
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

import msgspec
from msgspec import Struct

from kata.classroom import schema
from kata.classroom.keys import Basis
from kata.classroom.model import Answer, Attempt, Delivery, Graded
from kata.errors import KataError
from kata.model import Error, Report

FILE = "gradebook.db"
_report = msgspec.json.Decoder(Report).decode
_basis = msgspec.json.Decoder(Basis).decode
_error = msgspec.json.Decoder(Error).decode


class Held(Struct, frozen=True):
    """An answer as the gradebook holds it, with the key of its result, if it has one."""

    id: int
    student: str
    assignment: str
    problem: int
    path: str
    content: str
    refused: Error | None
    key: str | None


def now() -> str:
    """The time, as text that sorts."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def create(folder: Path) -> None:
    """An empty gradebook with a new seed of 128 bits, put in place once it is whole; one that is there stays."""
    # what is left of a gradebook that is gone would be read into the new one
    if there := [path for end in ("", "-wal", "-shm") if (path := folder / f"{FILE}{end}").exists()]:
        raise KataError(f"There is a {there[0]} already; nothing was changed. Move it away first.")
    try:
        with tempfile.TemporaryDirectory(prefix=f".{FILE}.", dir=folder) as name:
            made = Path(name) / FILE
            os.close(os.open(made, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            with Gradebook(Path(name)) as book:
                book.set("seed", secrets.token_hex(16))
                book.set("created", now())
            made.rename(folder / FILE)
    except OSError as wrong:
        raise KataError(f"{folder / FILE} can't be made: {wrong.strerror}") from None


class Gradebook:
    """One open gradebook; every change is written at once and whole."""

    def __init__(self, folder: Path) -> None:
        path = folder / FILE
        if not path.is_file():
            raise KataError(f"There is no {path}. Make one: kata classroom init {folder}")
        self._db = sqlite3.connect(path, isolation_level=None, timeout=30)
        with _told(path):
            self._db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON;")
            self._db.execute("PRAGMA foreign_keys=ON")
            (had,) = self._db.execute("PRAGMA user_version").fetchone()
            if had > schema.VERSION:
                raise KataError(f"{path} was made by a newer kata (version {had}); this one reads {schema.VERSION}.")
            schema.migrate(self._db)
        self._path = path
        try:
            path.chmod(0o600)
        except OSError as wrong:
            raise KataError(f"{path} can't be kept from others ({wrong.strerror}): it must be your own file.") from None

    def __enter__(self) -> "Gradebook":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._db.close()
        if isinstance(value, sqlite3.Error):  # damage is met wherever something is read
            with _told(self._path):
                raise value

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """A change that is written whole or not at all."""
        with _told(self._path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def set(self, name: str, value: str) -> None:
        """Notes a fact about the gradebook itself."""
        with self.change() as db:
            db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    @property
    def seed(self) -> str:
        """The class's secret, in hexadecimal digits."""
        row = self._db.execute("SELECT value FROM meta WHERE name = 'seed'").fetchone()
        if row is None:
            again = "delete it and what is named like it, then type kata classroom init"
            raise KataError(f"{self._path} was never finished and holds nothing: {again}.")
        return str(row[0])

    # ── What was handed in ──

    def deliver(self, deliveries: Sequence[Delivery]) -> int:
        """Takes deliveries in; one that is known already changes nothing. Returns how many were new."""
        with self.change() as db:
            return sum(self._deliver(db, delivery) for delivery in deliveries)

    def _deliver(self, db: sqlite3.Connection, delivery: Delivery) -> bool:
        contents = [content(answer) for answer in delivery.answers]
        pairs = sorted((answer.problem, content) for answer, content in zip(delivery.answers, contents, strict=True))
        digest = hashlib.sha256(msgspec.json.encode(pairs)).hexdigest()
        time = delivery.submitted.isoformat() if delivery.submitted else None
        row = (delivery.assignment, delivery.student, digest, time, now())
        made = db.execute(
            "INSERT INTO deliveries (assignment, student, digest, submitted, collected) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET submitted = coalesce(excluded.submitted, submitted) RETURNING id",
            row,
        ).fetchone()[0]
        known = db.execute("SELECT 1 FROM answers WHERE delivery = ?", (made,)).fetchone()
        for answer, hashed in zip(delivery.answers, contents, strict=True) if not known else ():
            refused = msgspec.json.encode(answer.refused).decode() if answer.refused else None
            db.execute("INSERT OR IGNORE INTO sources VALUES (?, ?)", (hashed, answer.source))
            db.execute(
                "INSERT INTO answers (delivery, problem, path, content, refused) VALUES (?, ?, ?, ?, ?)",
                (made, answer.problem, answer.path, hashed, refused),
            )
        return not known

    def times(self) -> dict[int, tuple[str, datetime | None]]:
        """Whose each delivery is, and when it was handed in."""
        rows = self._db.execute("SELECT id, student, submitted FROM deliveries ORDER BY id")
        return {id: (student, datetime.fromisoformat(time) if time else None) for id, student, time in rows}

    def held(self) -> list[Held]:
        """Every answer, in the order in which it came."""
        rows = self._db.execute(
            "SELECT a.id, d.student, d.assignment, a.problem, a.path, a.content, a.refused,"
            " (SELECT key FROM adopted WHERE answer = a.id ORDER BY id DESC LIMIT 1)"
            " FROM answers a JOIN deliveries d ON d.id = a.delivery ORDER BY a.id"
        )
        return [
            Held(id, student, assignment, problem, path, content, _error(refused) if refused else None, key)
            for id, student, assignment, problem, path, content, refused, key in rows
        ]

    def source(self, content: str) -> bytes:
        """The source of this hash."""
        return bytes(self._db.execute("SELECT source FROM sources WHERE sha256 = ?", (content,)).fetchone()[0])

    # ── Results ──

    def result(self, key: str) -> Report | None:
        """The report of this key."""
        row = self._db.execute("SELECT report FROM results WHERE key = ?", (key,)).fetchone()
        return _report(row[0]) if row else None

    def basis(self, key: str) -> Basis:
        """What the result of this key was based on."""
        return _basis(self._db.execute("SELECT basis FROM results WHERE key = ?", (key,)).fetchone()[0])

    def keep(self, basis: Basis, content: str, report: Report) -> None:
        """Keeps a result; nothing follows from it until it is adopted."""
        key, text = basis.key(content), [msgspec.json.encode(part).decode() for part in (basis, report)]
        with self.change() as db:
            db.execute("INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?, ?)", (key, content, *text, now()))
            db.execute("DELETE FROM faults WHERE key = ?", (key,))

    def adopt(self, pairs: Sequence[tuple[int, str]], reason: str) -> None:
        """Lets results (by key) stand for answers (by id); what stood before stays in the history."""
        time = now()
        with self.change() as db:
            db.executemany(
                "INSERT INTO adopted (answer, key, reason, time) VALUES (?, ?, ?, ?)",
                [(answer, key, reason, time) for answer, key in pairs],
            )

    def blame(self, basis: Basis, content: str, text: str) -> None:
        """Notes a fault of ours: no result, no zero, no attempt."""
        with self.change() as db:
            db.execute("INSERT OR REPLACE INTO faults VALUES (?, ?, ?, ?)", (basis.key(content), content, text, now()))

    def history(self, answer: int) -> list[tuple[str, str, Report]]:
        """Every result that ever stood for an answer, the first first: when, why, which."""
        rows = self._db.execute(
            "SELECT a.time, a.reason, r.report FROM adopted a JOIN results r ON r.key = a.key"
            " WHERE a.answer = ? ORDER BY a.id",
            (answer,),
        )
        return [(time, reason, _report(report)) for time, reason, report in rows]

    def attempts(self) -> list[Attempt]:
        """Every delivery with its reports, in the order of their times."""
        faults = dict(self._db.execute("SELECT content, text FROM faults").fetchall())
        reports = {key: _report(text) for key, text in self._db.execute("SELECT key, report FROM results")}
        answers: dict[int, list[Graded]] = {}
        for delivery, id, problem, path, content, key in self._db.execute(
            "SELECT delivery, id, problem, path, content,"
            " (SELECT key FROM adopted WHERE answer = answers.id ORDER BY id DESC LIMIT 1)"
            " FROM answers ORDER BY id"
        ):
            fault = faults.get(content, "") if key is None else ""
            graded = Graded(id, problem, path, reports.get(key), content, fault)
            answers.setdefault(delivery, []).append(graded)
        return _numbered(self._db.execute("SELECT id, student, assignment, submitted FROM deliveries"), answers)

    # ── Forgetting ──

    def forget(self, student: str) -> int:
        """Deletes everything of a student, and what nobody else shares; returns how many deliveries went."""
        with self.change() as db:
            gone = db.execute("DELETE FROM deliveries WHERE student = ?", (student,)).rowcount
            db.execute("DELETE FROM results WHERE content NOT IN (SELECT content FROM answers)")
            db.execute("DELETE FROM faults WHERE content NOT IN (SELECT content FROM answers)")
            db.execute("DELETE FROM sources WHERE sha256 NOT IN (SELECT content FROM answers)")
        self._db.execute("VACUUM")
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return int(gone)


def content(answer: Answer) -> str:
    """The hash of what is judged: the source, or why there is none."""
    told = answer.source if answer.refused is None else b"refused\0" + msgspec.json.encode(answer.refused)
    return hashlib.sha256(told).hexdigest()


def _numbered(rows: sqlite3.Cursor, answers: dict[int, list[Graded]]) -> list[Attempt]:
    found = [(row, datetime.fromisoformat(row[3]) if row[3] else None) for row in rows]
    found.sort(key=lambda pair: (pair[1] or datetime.min.replace(tzinfo=UTC), pair[0][0]))
    moments: dict[tuple[str, str], list[datetime | None]] = {}
    attempts = []
    for (id, student, assignment, _), time in found:
        seen = moments.setdefault((student, assignment), [])
        # a folder that is collected again, once a file is renamed, is no new attempt
        if time is None or time not in seen:
            seen.append(time)
        attempts.append(Attempt(student, assignment, len(seen), time, tuple(answers.get(id, ()))))
    return attempts


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as wrong:
        first = "make it and its folder writable, then " if "readonly" in str(wrong) else ""
        again = f"{first}run the same command again"
        raise KataError(f"{path}: {wrong}. Nothing that was written is lost: {again}.") from None
    except sqlite3.DatabaseError as wrong:
        raise KataError(f"{path} is damaged or no gradebook: {wrong}") from None
