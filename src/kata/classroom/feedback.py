"""What a student is told: promises, verdicts, diagnoses and their own lines, and nothing of the secret run.

Left out on purpose: drawn inputs, expected values, evidence, printed output, and the text of every exception that is
not one of the sentences that Python and torch say to everybody. (Which of their lines raised is told, so a line number
can say as much as a line number can.)
"""

import builtins
import re
import warnings
from collections.abc import Iterator

from msgspec import Struct

from kata.classroom.model import Assignment, Graded, Mark, plain
from kata.classroom.sayings import said
from kata.model import Error, Finding, Problem
from kata.words import harmless

VERBS = {
    "passed": "kept",
    "failed": "not kept",
    "crashed": "not kept: your code raised an error",
    "timed_out": "not kept: it took too long",
    "died": "not kept: it ended its own process, or used too much memory",
    "skipped": "not looked at",
}
CODE_CAP = 160
STEPS = 3  # lines of a traceback that are told: which ones says something about the inputs, too


class Line(Struct, frozen=True):
    """One promise and what became of it."""

    promise: str
    verdict: str
    passed: bool
    craft: bool
    error: str = ""
    code: tuple[tuple[int, str], ...] = ()  # (number, text) of their own lines


class Part(Struct, frozen=True):
    """One problem."""

    number: int
    title: str
    score: str
    error: str
    lines: tuple[Line, ...]
    diagnoses: tuple[tuple[str, str], ...]


class Feedback(Struct, frozen=True):
    """Everything that one student is told about one assignment."""

    assignment: str
    attempt: int
    points: str
    steps: tuple[str, ...]
    parts: tuple[Part, ...]


def feedback(mark: Mark, assignment: Assignment, problems: dict[int, Problem], sources: dict[str, bytes]) -> Feedback:
    """The feedback on the attempt that counts."""
    steps = tuple(step.text for step in mark.steps)
    points = "excused" if mark.state == "excused" else f"{_number(mark.points)} of {plain(mark.maximum)} points"
    answers = {answer.problem: answer for answer in mark.attempt.answers} if mark.attempt else {}
    parts = [_part(problem, answers.get(number), sources) for number, problem in problems.items()]
    return Feedback(assignment.name, mark.attempt.index if mark.attempt else 0, points, steps, tuple(parts))


def _number(points: float | None) -> str:
    return "not graded yet" if points is None else plain(points)


def _part(problem: Problem, answer: Graded | None, sources: dict[str, bytes]) -> Part:
    report = answer.report if answer else None
    if answer is None or report is None:
        return Part(problem.number, problem.title, "not graded yet" if answer else "not handed in", "", (), ())
    source = sources[answer.content]
    text = source.decode("utf-8", "replace").splitlines()
    lines = tuple(_line(finding, text) for finding in report.findings)
    told = tuple((d.name.replace("_", " "), d.text) for d in report.diagnoses)
    error = _error(report.error, problem, source, text) if report.error else ""
    return Part(problem.number, problem.title, f"{report.score:g}/{report.max_score:g}", error, lines, told)


def _error(error: Error, problem: Problem, source: bytes, text: list[str]) -> str:
    """Why nothing could be judged, found anew in the file: what the child said may be a check's input in disguise."""
    names = " and ".join(problem.functions)
    line = error.line if error.line and error.line <= len(text) else None
    match error.kind:
        case "syntax" | "not_python":
            message, line = unread(source)
        case "not_written":
            message = f"{names} is not written yet"
        case "missing_function":
            message = (
                f"the file does not define {names} as {'a function' if len(problem.functions) == 1 else 'functions'}"
            )
        case "signature":
            message = f"{names} can't be called with the parameters that the exercise gives it"
        case "import":
            message = own_words(error.message.partition("\n")[0], text)  # the line of code that follows is theirs
        case _:  # said by the judge, before there was a child
            message = error.message
    return f"{message} (line {line})" if line else message


def unread(source: bytes) -> tuple[str, int | None]:
    """What Python says about a file that it can't read, and at which line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "answer", "exec", dont_inherit=True)
    except SyntaxError as wrong:
        return f"{type(wrong).__name__}: {wrong.msg}", wrong.lineno or None
    except (ValueError, RecursionError, MemoryError, OverflowError):
        pass
    return "Python can't read this file", None


def _line(finding: Finding, source: list[str]) -> Line:
    craft = finding.tier == "craft"
    passed = finding.verdict == "passed"
    error = own_words(finding.message, source) if finding.verdict == "crashed" else ""
    code = tuple(_code(finding, source)) if finding.verdict in ("crashed", "timed_out") else ()
    verdict = ("craft, " if craft else "") + VERBS[finding.verdict]
    return Line(finding.promise, verdict, passed, craft, error, code)


def _code(finding: Finding, source: list[str]) -> Iterator[tuple[int, str]]:
    """The last lines of a traceback, each once, their text from the file that was handed in: the child's word for it is
    not taken."""
    numbers = [step.get("line") for step in finding.evidence.get("traceback", ()) if isinstance(step, dict)]
    known = [number for number in numbers if isinstance(number, int) and 0 < number <= len(source)]
    for number in [*dict.fromkeys(reversed(known))][:STEPS][::-1]:
        yield number, harmless(source[number - 1].strip(), CODE_CAP)


def own_words(message: str, source: list[str]) -> str:
    """An error's kind, and the sentence that Python or torch say to everybody; their own stands in the line shown."""
    kind, _, text = message.partition(": ")
    if not _builtin(kind):
        return "an error of its own kind"
    told = said(text, "\n".join(source))
    return f"{kind}: {harmless(told, 300)}" if told else kind


def _builtin(kind: str) -> bool:
    found = getattr(builtins, kind, None)
    return isinstance(found, type) and issubclass(found, BaseException)


def markdown(told: Feedback) -> str:
    """The feedback as Markdown in which nothing of the student's is markup."""
    lines = [f"# {_plain(told.assignment)}: {told.points}", "", *(f"- {_plain(step)}" for step in told.steps)]
    for part in told.parts:
        lines += ["", f"## {part.number} · {_plain(part.title)}: {part.score}", ""]
        lines += [f"**{_plain(part.error)}**"] if part.error else []
        for line in part.lines if not part.error else ():
            lines += [f"- {'✔' if line.passed else '✘'} {_prose(line.promise)} — {line.verdict}"]
            lines += [f"  - {_plain(line.error)}"] if line.error else []
            lines += [f"  - line {number}: {_plain(code)}" for number, code in line.code]
        for name, text in part.diagnoses:
            lines += ["", f"**{_plain(name)}.** {_prose(text)}"]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """Text in which no Markdown is markup and no address becomes a link."""
    return _escaped(" ".join(text.split()))


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#!|&~@$]|:(?=//)|(?<=www)\.)", r"\\\1", text)


def _prose(text: str) -> str:
    """A grader's sentence: its `code` stays code, in which nothing is markup either, and the rest is plain."""
    parts = re.split(r"(`[^`\n]+`)", " ".join(text.split()))
    return "".join(part if index % 2 else _escaped(part) for index, part in enumerate(parts))
