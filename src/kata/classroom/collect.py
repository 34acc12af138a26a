"""From a folder or zip to deliveries: what is whose, and everything that a person should know about the rest."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from kata.classroom import answers, archive, entries, layouts, sheet
from kata.classroom.course import Class
from kata.classroom.entries import Entry, shown
from kata.classroom.layouts import Layout, Owned
from kata.classroom.model import Answer, Assignment, Collected, Delivery, Note
from kata.classroom.roster import Found, Roster
from kata.errors import KataError
from kata.words import harmless

FILE_DATES = "files"
NUMBERED = ("canvas", "moodle")  # they name a file by its student's number and name


class Times(Struct, frozen=True):
    """Where the times of submissions come from: a table, the files' own dates, or only what the platform says."""

    table: dict[str, datetime] = {}
    files: bool = False

    def of(self, student: str, owned: list[Owned]) -> datetime | None:
        """The time of a student's delivery: the latest of its files."""
        if student in self.table:
            return self.table[student]
        told = [each.time for each in owned if each.time is not None]
        dates = [each.entry.time for each in owned if each.entry.time is not None] if self.files else []
        return max(told or dates, default=None)


def collect(
    source: Path, room: Class, assignment: Assignment, roster: Roster, times: Times, layout: Layout | None = None
) -> Collected:
    """Everything that was handed in."""
    found, notes = _opened(source)

    def whose(*words: str) -> str | None:
        who = roster.find(*words).student
        return who.id if who else None

    found = layouts.unwrapped(found, _name(source), whose, layout)
    if not found:
        why = "; ".join(f"{note.path} {note.text}".strip() for note in notes[:4])
        raise KataError(f"There are no files in {source} that can be read{': ' if why else ''}{why}.")
    kind = layout or layouts.recognise(found)
    mine: dict[str, list[Owned]] = {}
    for top, group in _by_top(layouts.owned(found, kind)).items():
        who = _who(group[0].words, kind, roster)
        if who.student is not None:
            mine.setdefault(who.student.id, []).extend(group)
        else:
            notes.append(Note("unmatched", shown((top,)), who.why))
    mine = {id: owned for id, owned in mine.items() if _one_place(id, owned, kind, notes)}
    deliveries = [_delivery(id, owned, room, assignment, times, notes) for id, owned in mine.items()]
    return Collected(kind, tuple(filter(None, deliveries)), tuple(notes))


def _by_top(owned: Iterable[Owned]) -> dict[str, list[Owned]]:
    groups: dict[str, list[Owned]] = {}
    for each in owned:
        groups.setdefault(each.top, []).append(each)
    return groups


def _opened(source: Path) -> tuple[list[Entry], list[Note]]:
    """The entries of a folder or zip, those of zips inside it among them, and what was noted on the way."""
    if not source.exists():
        raise KataError(f"There is no {source}.")
    found, notes = list[Entry](), list[Note]()
    todo = [*(entries.walk(source) if source.is_dir() else archive.opened(source))]
    for item in todo:
        inner = archive.nested(item) if isinstance(item, Entry) and _is_zip(item.parts[-1]) else (item,)
        for each in inner:
            if isinstance(each, Note):
                notes.append(each)
            elif _is_zip(each.parts[-1]):
                notes.append(Note("refused", shown(each.parts), "is a zip inside a zip and stays closed"))
            else:
                found.append(each)
    return found, notes


def _name(source: Path) -> str:
    """What the folder or zip is called, wherever the command stands."""
    path = source.resolve()
    return path.name if path.is_dir() else path.stem


def _is_zip(name: str) -> bool:
    return name.lower().endswith(".zip")


def _who(words: tuple[str, ...], kind: Layout, roster: Roster) -> Found:
    """Whom the names of a layout mean; a platform's number that is only by chance somebody's id says nothing."""
    if not words:
        return Found(None, f"is not named as in the layout {kind}")
    found = roster.find(*words)
    if kind in NUMBERED and found.student is not None and roster.find(*words[1:]).student is None:
        number = words[0]
        if number not in found.student.other:
            why = f"its number {number} is the id of {found.student.id}, and its name is another"
            return Found(None, f"{why}: if they are one, add the number to the roster's column other")
    return found


def _one_place(student: str, owned: list[Owned], kind: Layout, notes: list[Note]) -> bool:
    """Whether all files of a student come from one folder, or under one number; else a person must judge."""
    places = {each.words if kind in NUMBERED else each.top: each.top for each in owned}
    if len(places) > 1:
        tops = sorted(places.values())
        listed = " and ".join(shown((top,)) for top in tops[:4])
        notes.append(Note("ambiguous", shown((tops[0],)), f"{listed} are all {student}'s; keep one of them"))
    return len(places) == 1


def _delivery(
    student: str, owned: list[Owned], room: Class, assignment: Assignment, times: Times, notes: list[Note]
) -> Delivery | None:
    """A student's delivery; None where a person must first decide, or where nothing in it answers a problem."""
    chosen = [*answers.choose(owned, room.problems(assignment))]
    notes += [each for each in chosen if isinstance(each, Note)]
    found = tuple(each for each in chosen if isinstance(each, Answer))
    if any(isinstance(each, Note) and each.kind == "ambiguous" for each in chosen):
        return None
    if not found:
        files = ", ".join(sorted(shown(each.inside) for each in owned)[:4])
        text = f"{student} handed in nothing that answers this assignment: {files}{' …' if len(owned) > 4 else ''}"
        notes.append(Note("unmatched", shown((owned[0].top,)), f"{text}. {_endings(owned)}".rstrip()))
        return None
    time = times.of(student, owned)
    if time is None and any(each.late for each in owned):
        notes.append(Note("time", shown((owned[0].top,)), "marked LATE by Canvas, but nothing says when: give --times"))
    return Delivery(student, assignment.name, found, time)


def _endings(owned: list[Owned]) -> str:
    """What is asked for, where there is no file of a kind that is read."""
    read = any(each.inside[-1].lower().endswith(answers.ENDINGS) for each in owned)
    return "" if read else "A .py or .ipynb is asked for: save it as one, and run the same command again"


def times(chosen: str | None, roster: Roster) -> Times:
    """What --times says: nothing, `files`, or a CSV of student and submitted."""
    if chosen is None or chosen == FILE_DATES:
        return Times(files=chosen is not None)
    rows = sheet.rows(sheet.read(Path(chosen)), chosen)
    _, header = next(rows, ("", list[str]()))
    if not {"student", "submitted"} <= {*header}:
        raise KataError(f"{chosen}: its first line must name student and submitted")
    table = dict[str, datetime]()
    for where, row in rows:
        if not row:
            continue
        told = sheet.cells(row, header, where)
        who = roster.find(told["student"]).student
        if who is None:
            raise KataError(f"{where}: {harmless(told['student'], 80)} is nobody in the roster")
        if table.setdefault(who.id, time := _time(told["submitted"], where)) != time:
            raise KataError(f"{where}: {who.id} has another time further up; keep the one that counts")
    return Times(table)


def _time(text: str, where: str) -> datetime:
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        time = datetime.min
    if time.tzinfo is None:
        raise KataError(f"{where}: {harmless(text, 60)!r} is no time with its zone, as in 2026-10-12T23:59:00+02:00")
    return time
