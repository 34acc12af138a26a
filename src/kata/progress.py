"""What a learner has done so far: a file that a person can read, whole at every moment, safe for commands at once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kata import workspace
from kata.errors import KataError
from kata.files import write
from kata.model import Problem, Report
from kata.workspace import Workspace

FORMAT = "kata.progress/1"
FILE = "progress.json"
PATIENCE = 20.0  # seconds to wait for another command that writes


class Last(Struct, frozen=True, omit_defaults=True):
    """The last try: which bytes were judged, and what was found."""

    sha256: str = ""
    version: int = 0
    passed: bool = False
    diagnoses: tuple[str, ...] = ()


class Score(Struct, frozen=True):
    """The best quiz so far."""

    best: int = 0
    of: int = 0
    taken: int = 0


class Entry(Struct, frozen=True, omit_defaults=True):
    """Everything that is kept about one problem; times are UTC, empty for what has not happened."""

    number: int = 0
    tries: int = 0
    best: float = 0.0
    of: float = 0.0
    passed: str = ""
    passed_version: int = 0  # of the grader, when it was passed last
    craft_complete: str = ""
    hints: tuple[str, ...] = ()  # marks of those shown
    solution_seen: str = ""
    gave_up: bool = False
    quiz: Score = Score()
    last: Last = Last()


Record = dict[str, Entry]  # by slug, which outlives a new numbering


def load(home: Workspace) -> Record:
    """The record of a workspace; raises KataError for a file that is no record."""
    return {slug: _entry(home, slug, value) for slug, value in _raw(home)["problems"].items()}


def entry(home: Workspace, problem: Problem) -> Entry:
    """What is kept about one problem."""
    return load(home).get(problem.slug, Entry(problem.number))


def change(home: Workspace, problem: Problem, how: Callable[[Entry], Entry]) -> Entry:
    """Reads, changes and writes the entry of a problem while no other command can; returns the new one."""
    with locked(home):
        raw = _raw(home)
        known = raw["problems"].get(problem.slug, {})
        new = how(replace(_entry(home, problem.slug, known), number=problem.number))
        kept = {name: value for name, value in known.items() if name not in Entry.__struct_fields__}
        told = msgspec.to_builtins(new) | kept  # what a later kata wrote stays
        if told != known:
            raw["problems"][problem.slug] = told
            write(home.records / FILE, msgspec.json.format(msgspec.json.encode(raw), indent=2) + b"\n")
    return new


@contextmanager
def locked(home: Workspace) -> Iterator[None]:
    """Holds the one lock of a workspace, and clears away what a killed command left of its writing."""
    from filelock import FileLock, Timeout

    try:
        home.records.mkdir(exist_ok=True)
        lock = FileLock(home.records / "lock", timeout=PATIENCE)
        lock.acquire()
    except Timeout:
        raise KataError(f"Another kata has been writing in {home.root} for {PATIENCE:g} s. Try again.") from None
    except (OSError, NotImplementedError) as wrong:
        reason = getattr(wrong, "strerror", None) or wrong
        raise KataError(f"{home.records} can't be written: {reason}. Nothing was recorded.") from None
    try:
        _swept(home.records)
        yield
    finally:
        lock.release()


def _swept(folder: Path) -> None:
    for name in (FILE, workspace.MARKER):
        for left in folder.glob(f".{name}.*"):
            with suppress(OSError):
                left.unlink()


def _raw(home: Workspace) -> dict[str, Any]:
    file = home.records / FILE
    try:
        raw = msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
        whole = isinstance(raw.get("problems"), dict) and all(isinstance(v, dict) for v in raw["problems"].values())
    except FileNotFoundError:
        return {"format": FORMAT, "problems": {}}
    except OSError as wrong:
        raise KataError(f"{file} can't be read: {wrong.strerror}") from None
    except msgspec.DecodeError as wrong:
        raise _unread(file, str(wrong)) from None
    if not whole:
        raise _unread(file, "it has no table “problems”")
    return raw


def _entry(home: Workspace, slug: str, value: dict[str, Any]) -> Entry:
    try:
        return msgspec.convert(value, Entry)
    except msgspec.ValidationError as wrong:
        raise _unread(home.records / FILE, f"{slug}: {wrong}") from None


def _unread(file: Path, reason: str) -> KataError:
    return KataError(f"{file} is not a record of progress ({reason}). Mend it, or move it away to begin a new one.")


def now() -> str:
    """This moment, as it stands in the record."""
    return datetime.now(UTC).isoformat(timespec="seconds")


# ── What happens to an entry ────────────────────────────────────────────────────────────────────────────────────────


def counts(report: Report) -> bool:
    """Whether a report is a try: the file was judged, and by every check."""
    return report.error is None and all(finding.verdict != "skipped" for finding in report.findings)


def tried(entry: Entry, report: Report) -> Entry:
    """The entry after a try; the same bytes judged once more are no new one."""
    version, sha256 = report.problem.version, report.submission.sha256 or ""
    again = sha256 == entry.last.sha256
    better = not entry.of or report.score / (report.max_score or 1) >= entry.best / entry.of
    complete = report.passed and report.craft == report.max_craft
    return replace(
        entry,
        tries=entry.tries + (not again),
        best=report.score if better else entry.best,
        of=report.max_score if better else entry.of,
        passed=entry.passed or (now() if report.passed else ""),
        passed_version=version if report.passed else entry.passed_version,
        craft_complete=entry.craft_complete or (now() if complete else ""),
        last=Last(sha256, version, report.passed, tuple(d.name for d in report.diagnoses)),
    )


def seen(entry: Entry) -> Entry:
    """The entry after the worked answer was shown; before a pass, that is giving up."""
    return replace(entry, solution_seen=entry.solution_seen or now(), gave_up=entry.gave_up or not entry.passed)


def asked(entry: Entry, right: int, of: int) -> Entry:
    """The entry after a quiz."""
    quiz = entry.quiz
    better = not quiz.of or right / of >= quiz.best / quiz.of
    return replace(entry, quiz=Score(right if better else quiz.best, of if better else quiz.of, quiz.taken + 1))


def noted(track: Path, problem: Problem, path: str, report: Report) -> bool:
    """Records a grade where it is a try in a workspace; whether it was. Raises KataError where it can't be."""
    home = workspace.owner(Path(path), track)
    if home is None or not counts(report):
        return False
    change(home, problem, lambda entry: tried(entry, report))
    return True
