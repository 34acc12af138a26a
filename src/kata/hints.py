"""One more hint each time: those that answer the last diagnosis first, then the general ladder."""

import hashlib

from msgspec import Struct
from msgspec.structs import replace

from kata import progress, texts
from kata.model import Hint, Problem
from kata.progress import Entry
from kata.workspace import Workspace


class Step(Struct, frozen=True):
    """A hint to show: the how-manieth it is, how many are left, and whether it speaks to the last diagnosis."""

    text: str
    position: int
    left: int
    answers: bool = False


def another(home: Workspace, problem: Problem) -> Step | None:
    """The next hint, recorded as shown; None where all have been."""
    known = texts.hints(problem)

    def shown(entry: Entry) -> Entry:
        return replace(entry, hints=(*entry.hints, *map(mark, waiting(problem, known, entry)[:1])))

    before = progress.entry(home, problem)
    after = progress.change(home, problem, shown)
    if len(after.hints) <= len(before.hints):
        return None
    return _steps(problem, known, after)[-1]


def again(home: Workspace, problem: Problem) -> list[Step]:
    """Every hint that was shown, in the order in which it was."""
    return _steps(problem, texts.hints(problem), progress.entry(home, problem))


def _steps(problem: Problem, known: tuple[Hint, ...], entry: Entry) -> list[Step]:
    by_mark = {mark(hint): hint for hint in known}
    seen = [by_mark[m] for m in entry.hints if m in by_mark]
    left, named = len(waiting(problem, known, entry)), diagnosed(problem, entry)
    return [Step(hint.text, i, left, bool(named & {*hint.answers})) for i, hint in enumerate(seen, 1)]


def waiting(problem: Problem, known: tuple[Hint, ...], entry: Entry) -> list[Hint]:
    """The hints that are still to come, in order; what answers another mistake than the learner's is not among them."""
    named = diagnosed(problem, entry)
    fresh = [hint for hint in known if mark(hint) not in entry.hints]
    return [h for h in fresh if named & {*h.answers}] + [h for h in fresh if not h.answers]


def diagnosed(problem: Problem, entry: Entry) -> set[str]:
    """The mistakes that the last report named, one by one, those of a family included."""
    names = {name for told in entry.last.diagnoses for part in told.split(" or ") for name in part.split(" + ")}
    return names.union(*(texts.family(problem, name) for name in names))


def mark(hint: Hint) -> str:
    """What stands for a hint in the record; it changes with the text, so that a new text is shown again."""
    return hashlib.sha256(hint.text.encode()).hexdigest()[:8]
