"""A run that is killed at any moment goes on where it was: nothing is graded twice, nothing is lost."""

import json
import random
import signal
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.classroom.people import RIGHT, WRONG, class_folder, hand_in
from tests.real import MODULE

SEED = "5e" * 16
TIMED = {"seconds"}


def a_class(folder: Path, students: int) -> tuple[Path, Path]:
    """A class with this many students, each of whom handed in something of their own; 70 % of it right."""
    roster = "id\n" + "".join(f"u{n}\n" for n in range(students))
    room = class_folder(folder, roster=roster)
    sources = {f"u{n}": (RIGHT if n % 10 < 7 else WRONG) + f"# {n}\n".encode() for n in range(students)}
    if not (folder / "in").exists():
        hand_in(folder / "in", **sources)
    db = sqlite3.connect(room / "gradebook.db")
    db.execute("UPDATE meta SET value = ? WHERE name = 'seed'", (SEED,))
    db.commit()
    db.close()
    return room, folder / "in"


def start(room: Path, submissions: Path) -> subprocess.Popen[bytes]:
    words = [*MODULE, "classroom", "grade", str(submissions), "-C", str(room)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=room, preexec_fn=_listens)


def _listens() -> None:
    """Ctrl-C reaches the command also where a shell has started the tests in the background, deaf to it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def finish(room: Path, submissions: Path) -> str:
    process = start(room, submissions)
    text = process.communicate(timeout=300)[0].decode()
    assert process.returncode == 0, text
    return text


def kept(room: Path) -> list[tuple[Any, ...]]:
    """The gradebook without its clock times: who handed in what, and every result that ever stood."""
    db = sqlite3.connect(room / "gradebook.db")
    rows = db.execute(
        "SELECT d.student, a.problem, a.content, r.key, r.basis, r.report, n.reason FROM deliveries d"
        " JOIN answers a ON a.delivery = d.id LEFT JOIN adopted n ON n.answer = a.id"
        " LEFT JOIN results r ON r.key = n.key"
    ).fetchall()
    (faults,) = db.execute("SELECT count(*) FROM faults").fetchone()
    db.close()
    assert faults == 0
    return sorted((*row[:5], _timeless(json.loads(row[5] or "null")), row[6]) for row in rows)


def differing(one: list[tuple[Any, ...]], other: list[tuple[Any, ...]]) -> list[str]:
    """What is not the same in two gradebooks, short enough to be read."""
    if len(one) != len(other):
        return [f"{len(one)} rows and {len(other)} rows"]
    pairs = [(str(a), str(b)) for x, y in zip(one, other, strict=True) for a, b in zip(x, y, strict=True) if a != b]
    starts = [next((i for i, (a, b) in enumerate(zip(x, y, strict=False)) if a != b), 0) for x, y in pairs]
    return [f"{x[max(0, i - 80) : i + 300]} | {y[i : i + 300]}" for (x, y), i in zip(pairs, starts, strict=True)]


def _timeless(value: Any) -> str:
    def strip(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: strip(item) for name, item in value.items() if name not in TIMED}
        return [strip(item) for item in value] if isinstance(value, list) else value

    return json.dumps(strip(value), sort_keys=True)


def killed(room: Path, submissions: Path, after: float) -> bool:
    """Starts a run and kills it after so many seconds; whether it was still running."""
    process = start(room, submissions)
    time.sleep(after)
    running = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return running


def test_a_few_kills_leave_no_trace(tmp_path: Path) -> None:
    whole, submissions = a_class(tmp_path / "a", 24)
    finish(whole, submissions)
    room, _ = a_class(tmp_path / "a" / "b", 24)
    moments = random.Random(1)
    assert sum(killed(room, submissions, moments.uniform(0.3, 4.0)) for _ in range(4)) > 0
    finish(room, submissions)
    assert differing(kept(room), kept(whole)) == [] and len(kept(room)) == 24


def test_ctrl_c_ends_at_once_and_goes_on(tmp_path: Path) -> None:
    room, submissions = a_class(tmp_path, 12)
    process = start(room, submissions)
    time.sleep(2.0)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=15)
    finish(room, submissions)
    assert len(kept(room)) == 12
    assert "is judged already (12 answers)" in finish(room, submissions)


@pytest.mark.by_hand
def test_killed_at_fifty_random_moments_of_a_class_of_two_hundred(tmp_path: Path) -> None:
    """Fifty runs, each killed at a random moment and resumed: every gradebook is that of an undisturbed run."""
    whole, submissions = a_class(tmp_path / "whole", 200)
    start_time = time.monotonic()
    finish(whole, submissions)
    seconds, moments, running = time.monotonic() - start_time, random.Random(2), 0
    wanted = kept(whole)
    for trial in range(50):
        room, _ = a_class(tmp_path / f"{trial}", 200)
        running += killed(room, submissions, moments.uniform(0.1, seconds))
        finish(room, submissions)
        assert differing(kept(room), wanted) == [], f"trial {trial}"
    assert running >= 40


def test_a_full_disk_is_said_and_then_it_goes_on(tmp_path: Path) -> None:
    """The system refuses every byte beyond a size, in the middle of the run."""
    room, submissions = a_class(tmp_path, 12)
    size = (room / "gradebook.db").stat().st_size
    words = [*MODULE, "classroom", "grade", str(submissions), "-C", str(room)]

    def small() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 60_000, size + 60_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    done = subprocess.run(words, capture_output=True, cwd=room, preexec_fn=small, timeout=120)
    assert done.returncode == 2 and b"run the same command again" in done.stderr, done.stderr
    finish(room, submissions)
    assert len(kept(room)) == 12
