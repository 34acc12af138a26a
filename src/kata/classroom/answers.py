"""Which of a student's files answers which problem: by name, else by what it defines, and never by a coin."""

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from kata import notebook
from kata.classroom import strangers
from kata.classroom.entries import shown
from kata.classroom.layouts import Owned
from kata.classroom.model import Answer, Note
from kata.model import Error, Problem
from kata.words import harmless
from kata.workspace import SOURCE_CAP, Unreadable

ENDINGS = (".py", ".ipynb")
FILES, BYTES = 1_000, 2**28  # that are read of one student


class File(Struct, frozen=True):
    """A student's file as read: its bytes, or why there are none."""

    owned: Owned
    path: str
    stem: str
    data: bytes
    refused: Error | None


def read(owned: Owned) -> File:
    """The file as it was handed in."""
    stem, path = _stem(owned), shown(owned.inside)
    try:
        return File(owned, path, stem, owned.entry.read(), None)
    except Unreadable as wrong:
        return File(owned, path, stem, b"", Error(wrong.kind, f"{path} {wrong}"))


def _stem(owned: Owned) -> str:
    return owned.inside[-1].rpartition(".")[0]


def answer(file: File, problem: Problem) -> Answer:
    """A file as the answer to a problem: its Python, of a notebook what defines the problem's functions."""
    if file.refused is not None:
        return Answer(problem.number, file.path, refused=file.refused)
    try:
        return Answer(problem.number, file.path, _python(file, problem))
    except Unreadable as wrong:
        return Answer(problem.number, file.path, refused=Error(wrong.kind, harmless(str(wrong), 1000)))


def _python(file: File, problem: Problem) -> bytes:
    if is_notebook(file):
        return notebook.extracted(file.data, problem.functions, file.path)
    if len(file.data) > SOURCE_CAP:
        said = f"{file.path} has {len(file.data):,} bytes; at most {SOURCE_CAP:,} are read"
        raise Unreadable("too_large", said)
    return file.data


def is_notebook(file: File) -> bool:
    """Whether a file calls itself a notebook."""
    return file.owned.inside[-1].lower().endswith(".ipynb")


def choose(owned: list[Owned], problems: dict[int, Problem]) -> Iterator[Answer | Note]:
    """One answer for each problem that has one; a note where a person must decide, or should know what was decided."""
    asked = sorted(_newest(owned), key=lambda each: not any(_names(_stem(each), p) for p in problems.values()))
    files, known = _read(asked), set[str]()
    for problem in problems.values():
        candidates = _candidates(problem, files, sole=len(problems) == 1)
        known |= {file.path for file in candidates.all}
        yield from _decided(problem, candidates)
    yield from (_stranger(file, problems) for file in files if file.path not in known)
    if len(files) < len(asked):
        told = f"{len(asked) - len(files):,} more files of one student are not looked at, after {len(files):,}"
        yield Note("refused", shown((asked[0].top,)), f"{told}: leave in only what answers a problem")


def _read(asked: list[Owned]) -> list[File]:
    """The files, as many as one student may fill memory and time with."""
    files, size = list[File](), 0
    for each in asked[:FILES]:
        if size > BYTES:
            break
        files.append(read(each))
        size += len(files[-1].data)
    return files


def _stranger(file: File, problems: dict[int, Problem]) -> Note:
    if file.refused is not None:
        return Note("refused", _place(file), file.refused.message)
    return Note("ignored", _place(file), strangers.described(file.owned.inside[-1], file.data, problems.values()))


def _newest(owned: list[Owned]) -> list[Owned]:
    """Of files that a platform has numbered as resubmitted, the last."""
    last: dict[tuple[str, ...], Owned] = {}
    for each in sorted(owned, key=lambda each: each.version):
        if each.inside[-1].lower().endswith(ENDINGS):
            key = each.inside if each.version or each.inside not in last else (*each.inside, each.top)
            if key not in last or last[key].version < each.version:
                last[key] = each
    return [*last.values()]


class Candidates(Struct, frozen=True):
    """The files that may answer one problem: all of them, those that are left when the best are taken, and why."""

    all: list[File]
    best: list[File]
    why: Literal["name", "function", "only"]


def _candidates(problem: Problem, files: list[File], sole: bool) -> Candidates:
    if named := [file for file in files if _names(file.stem, problem)]:
        return Candidates(named, _best(named, problem), "name")
    if defining := [file for file in files if defines(file, problem)]:
        return Candidates(defining, _same(defining, problem), "function")
    lone = files if sole and len(files) == 1 else []
    return Candidates(lone, lone, "only")


def _decided(problem: Problem, candidates: Candidates) -> Iterator[Answer | Note]:
    if len(candidates.best) > 1:
        listed = ", ".join(file.path for file in candidates.best[:4])
        top = candidates.best[0].owned.top
        yield Note("ambiguous", top, f"problem {problem.number} may be answered by {listed}; keep one of them")
    elif candidates.best:
        (taken,) = candidates.best
        if taken.refused is not None and taken.refused.kind == "unreadable":  # by this machine: no fault of a student
            told = f"{taken.refused.message}. Nothing of this student is taken until it can be, or is gone"
            yield Note("ambiguous", _place(taken), told)
            return
        if candidates.why != "name":
            reason = "by what it defines" if candidates.why == "function" else "as the only file"
            yield Note("guessed", _place(taken), f"its name says nothing; taken for problem {problem.number} {reason}")
        others = [file for file in candidates.all if file is not taken]
        yield from (Note("ignored", _place(o), f"{taken.path} was taken for {problem.number} instead") for o in others)
        yield answer(taken, problem)


def _place(file: File) -> str:
    inside = file.path if file.owned.inside[:1] != file.owned.entry.parts[:1] else ""
    return shown((file.owned.top, inside)) if inside and inside != file.owned.top else shown((file.owned.top,))


def _names(stem: str, problem: Problem) -> bool:
    word = re.sub(r"[\s\-]+", "_", stem.strip().lower())
    number = re.match(r"(?:problem_?|p|ex_?)?(\d+)(?:_|\b)", word)
    return word == problem.slug or (number is not None and int(number[1][:6]) == problem.number)


def _best(files: list[File], problem: Problem) -> list[File]:
    """Files of exactly the right name before others, then those that lie least deep."""

    def rank(file: File) -> tuple[bool, int]:
        return file.stem != problem.name, len(file.owned.inside)

    least = min(map(rank, files), default=None)
    return _same([file for file in files if rank(file) == least], problem)


def _same(files: list[File], problem: Problem) -> list[File]:
    """One of them where all hold the same answer."""
    if len(files) < 2:
        return files
    answers = [answer(file, problem) for file in files]
    alike = len({each.source for each in answers}) == 1 and all(each.refused is None for each in answers)
    return files[:1] if alike else files


def defines(file: File, problem: Problem) -> bool:
    """Whether a file defines the problem's function, as far as reading can tell."""
    if file.refused is not None:
        return False
    if is_notebook(file):
        return answer(file, problem).refused is None
    name = re.escape(problem.functions[0].encode())
    pattern = rb"^(?:def\s+" + name + rb"\s*\(|" + name + rb"\s*(?::[^=\n]+)?=[^=])"
    return re.search(pattern, file.data, re.MULTILINE) is not None
