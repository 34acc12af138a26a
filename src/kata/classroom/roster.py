"""Who is in the course: roster.csv, and finding a student by any of their names without guessing."""

import difflib
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from kata.classroom import sheet
from kata.classroom.model import Student
from kata.errors import KataError
from kata.words import harmless

FILE = "roster.csv"
HEADER = ("id", "name", "email", "login", "other")
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}")
CAP = 200


def load(folder: Path) -> tuple[Student, ...]:
    """The roster of a folder."""
    path = folder / FILE
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as wrong:
        first = f"Its first line is {','.join(HEADER)}; then comes one line for each student."
        raise KataError(f"{path} can't be read: {wrong.strerror}. {first}") from None
    except UnicodeDecodeError:
        raise KataError(f"{path} is not UTF-8; save it as “CSV UTF-8”") from None
    return parse(text, str(path))


def parse(text: str, path: str) -> tuple[Student, ...]:
    """Students from the text of a roster.csv; raises KataError with the line."""
    rows = sheet.rows(text, path)
    header = [cell.strip().lower() for cell in next(rows, ("", []))[1]]
    if "id" not in header or (strange := [name for name in header if name not in HEADER]):
        what = f"has a column {strange[0]!r}" if "id" in header else "has no column id"
        raise KataError(f"{path} {what}; its first line must name {', '.join(HEADER)} (all but id may be left out)")
    students = [_student(sheet.cells(row, header, where), where) for where, row in rows if any(map(str.strip, row))]
    _unique(students, path)
    return tuple(students)


def _student(cells: dict[str, str], where: str) -> Student:
    clean = {name: harmless(unicodedata.normalize("NFC", cell.strip()), CAP) for name, cell in cells.items()}
    if not ID.fullmatch(clean["id"]):
        raise KataError(f"{where}: the id {clean['id']!r} must be letters, digits and . _ @ + - (it names files)")
    other = tuple(filter(None, (key.strip() for key in clean.get("other", "").split(";"))))
    return Student(clean["id"], clean.get("name", ""), clean.get("email", ""), clean.get("login", ""), other)


def _unique(students: list[Student], path: str) -> None:
    seen: dict[str, str] = {}
    for student in students:
        for key in {key.casefold() for key in (student.id, student.email, student.login, *student.other) if key}:
            if seen.setdefault(key, student.id) != student.id:
                raise KataError(f"{path}: {key} belongs to both {seen[key]} and {student.id}")
    ids = [student.id.casefold() for student in students]
    if twice := sorted({id for id in ids if ids.count(id) > 1}):
        raise KataError(f"{path}: the id {twice[0]} stands there twice")


class Found(Struct, frozen=True):
    """Whom some words mean: one student, or nobody for a reason."""

    student: Student | None
    why: str = ""


class Roster:
    """Finds students by id, login, e-mail or name; names are compared without accents, case and order."""

    def __init__(self, students: Iterable[Student]) -> None:
        self.students = tuple(students)
        self._keys: dict[str, Student] = {}
        self._names: dict[str, list[Student]] = {}
        for student in self.students:
            for key in (student.id, student.login, student.email, *student.other):
                self._keys[key.casefold()] = student
            names = {form(name) for name in (student.name, *student.other) for form in (folded, joined)}
            for name in names - {""}:
                self._names.setdefault(name, []).append(student)
        self._keys.pop("", None)

    def find(self, *words: str) -> Found:
        """The student that these words mean: by id, login or e-mail, else by name; words that disagree mean nobody."""
        clean = [unicodedata.normalize("NFC", word).strip()[:CAP] for word in words if word.strip()]
        exact = {s.id: s for word in clean if (s := self._keys.get(word.casefold()))}
        named = {s.id: s for word in clean for s in self._named(word)}
        meant = {id: s for id, s in exact.items() if not named or id in named} if exact else named
        if len(meant) == 1:
            return Found(next(iter(meant.values())))
        if several := meant or exact | named:
            return Found(None, f"may be {' or '.join(sorted(several))}")
        return Found(None, f"nobody in the roster{self._near(clean)}")

    def _named(self, name: str) -> list[Student]:
        return self._names.get(folded(name)) or self._names.get(joined(name)) or []

    def _near(self, words: list[str]) -> str:
        known = {folded(student.name): student.id for student in self.students} | {
            key: student.id for key, student in self._keys.items()
        }
        known.pop("", None)
        near = [m for word in words for m in difflib.get_close_matches(folded(word[:80]), [*known], n=1, cutoff=0.8)]
        return f"; {known[near[0]]} is near, and not taken: add the name to the roster's column other" if near else ""


def folded(name: str) -> str:
    """A name without accents, case, punctuation and order: `Ünicode, Ana` and `ana unicode` are one."""
    return " ".join(sorted(_words(name)))


def joined(name: str) -> str:
    """A name as Canvas writes it into file names: its sortable form without spaces, `unicodeana`."""
    last, comma, first = name.partition(",")
    ordered = (last, first) if comma else (name.rpartition(" ")[2], name.rpartition(" ")[0])
    return "".join("".join(_words(part)) for part in ordered)


def _words(name: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", name).casefold().replace("ß", "ss").replace("ø", "o").replace("ł", "l")
    kept = "".join(c for c in plain if not _accent(c))
    return "".join(c if unicodedata.category(c)[0] in "LNM" else " " for c in kept).split()


def _accent(character: str) -> bool:
    """Whether a mark may be left out, as in Latin, Greek, Hebrew and Arabic; elsewhere it makes another letter."""
    kind = unicodedata.combining(character)
    return kind >= 200 or 10 <= kind <= 36
