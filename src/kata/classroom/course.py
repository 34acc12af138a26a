"""Reads course.toml and says in sentences what is wrong with it."""

import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from kata import track
from kata.classroom.model import Assignment, Course
from kata.errors import KataError
from kata.model import Limits, Problem

FILE = "course.toml"
NUMBER = re.compile(r"[0-9]{1,6}")
TEMPLATE = Path(__file__).resolve().parent / "templates" / FILE  # what `kata classroom init` begins with


class Class(Struct, frozen=True):
    """A course and the folder that it lives in."""

    folder: Path
    course: Course
    root: Path

    def assignment(self, name: str | None) -> Assignment:
        """The assignment of this name; without a name, the only one."""
        known = {assignment.name: assignment for assignment in self.course.assignment}
        if name is None and len(known) == 1:
            return self.course.assignment[0]
        if name is None or name not in known:
            asked = "Say which assignment" if name is None else f"There is no assignment {name}"
            raise KataError(f"{asked}: --assignment {' or '.join(known)}.")
        return known[name]

    def problems(self, assignment: Assignment) -> dict[int, Problem]:
        """Its problems by number."""
        return {int(number): track.find(self.root, number) for number in assignment.problems}

    def limits(self, assignment: Assignment, problem: Problem) -> Limits:
        """What an answer may use: what the assignment says, and the problem's own limits for the rest."""
        said = asdict(assignment.limits) if assignment.limits else {}
        return replace(problem.limits, **{name: value for name, value in said.items() if value is not None})


def find(chosen: str | None) -> Path:
    """The folder that was named, or the nearest one upward that holds a course.toml."""
    if chosen:
        return Path(chosen)
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / FILE).is_file():
            return folder
    raise KataError("No course.toml here or in a folder above. Make one: kata classroom init DIR")


def load(folder: Path) -> Class:
    """The course of a folder; raises KataError in a sentence that says where and what."""
    path = folder / FILE
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except OSError as wrong:
        raise KataError(f"{path} can't be read: {wrong.strerror}. Make one: kata classroom init {folder}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise KataError(f"{path} is not TOML: {wrong}") from None
    course = parse(values, path)
    return _whole(Class(folder, course, _root(folder, course)), path)


def parse(values: dict[str, Any], path: Path) -> Course:
    """A course from TOML's values."""
    try:
        return msgspec.convert(values, Course)
    except msgspec.ValidationError as wrong:
        raise KataError(f"{path}: {sentence(str(wrong))}") from None


def sentence(text: str) -> str:
    """msgspec's words, with the place in front and counted from 1: `assignment 2, due: …`."""
    what, _, where = text.partition(" - at `")
    place = where.rstrip("`").removeprefix("$").removeprefix(".")
    place = re.sub(r"\[(\d+)\]", lambda m: f" {int(m[1]) + 1}", place).replace("[...]", "").replace(".", ", ")
    what = what.replace("`", "").replace("Object", "it").replace("datetime with a timezone component", TIME)
    return f"{place}: {what}" if place else what


TIME = "a time with its zone, as in 2026-10-12T23:59:00+02:00"


def _root(folder: Path, course: Course) -> Path:
    if not course.track:
        return track.default_root()
    try:
        return track.find_root(str(folder / Path(course.track).expanduser()))
    except KataError as wrong:
        raise KataError(f"{folder / FILE}: its track is absolute, or named from this file's folder. {wrong}") from None


def _whole(room: Class, path: Path) -> Class:
    """The class, once names are unique, problems exist and policies can be meant."""
    names = [assignment.name.lower() for assignment in room.course.assignment]
    if twice := {name for name in names if names.count(name) > 1}:
        raise KataError(f"{path}: there are two assignments named {', '.join(sorted(twice))}")
    known = track.numbers(room.root)
    for assignment in room.course.assignment:
        strange = [number for number in assignment.problems if not NUMBER.fullmatch(number) or int(number) not in known]
        if strange or not assignment.problems:
            listed = f"problem {strange[0]}, which {room.root} doesn't have" if strange else "no problem"
            raise KataError(f"{path}: assignment {assignment.name} has {listed}. `kata list` shows the track.")
        if not sum(assignment.problems.values()):
            raise KataError(f"{path}: assignment {assignment.name}: at least one weight must be above 0")
        if len({int(number) for number in assignment.problems}) < len(assignment.problems):
            raise KataError(f"{path}: assignment {assignment.name} names one problem twice")
    return room
