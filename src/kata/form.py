"""Whether the texts of a problem are whole: what an author may forget before anything is judged."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kata import track
from kata.model import Grader

LINK = re.compile(r"\bproblems?\s+(\d+)(?:\s+(?:and|or|to)\s+(\d+))?", re.IGNORECASE)
HINTS = 3


def faults(grader: Grader) -> Iterator[str]:
    """What is missing or malformed in a problem's three files, a sentence each."""
    yield from _head(grader)
    yield from _checks(grader)
    yield from _texts(grader)
    yield from _links(grader)
    yield from _signatures(grader)


def _head(grader: Grader) -> Iterator[str]:
    problem = grader.problem
    if not problem.title or not problem.statement:
        yield "the stub's docstring lacks a title or a statement"
    if not problem.section:
        yield "SECTION is not set"
    if not problem.answer.is_file():
        yield "there is no worked answer"
    late = [number for number in problem.after if number >= problem.number]
    yield from (f"AFTER names {number}, which comes no earlier" for number in late)


def _checks(grader: Grader) -> Iterator[str]:
    if not any(c.tier == "required" and c.points and not c.explains for c in grader.checks):
        yield "no required check judges values"
    yield from (f"the check {check.name} has no docstring" for check in grader.checks if not check.promise)


def _texts(grader: Grader) -> Iterator[str]:
    names = {mistake.name for mistake in grader.mistakes}
    yield from (f"the mistake {mistake.name} has no text" for mistake in grader.mistakes if not mistake.text.strip())
    unknown = {name for hint in grader.hints for name in hint.answers} - names
    yield from (f"a hint answers to {name}, which is no mistake here" for name in sorted(unknown))
    if sum(not hint.answers for hint in grader.hints) < HINTS:
        yield "there are fewer than three general hints"
    for index, question in enumerate(grader.quiz, 1):
        if sum(choice.right for choice in question.choices) != 1 or not all(c.why for c in question.choices):
            yield f"quiz question {index} needs exactly one right choice and a reason for each"


def _links(grader: Grader) -> Iterator[str]:
    """Every problem that a text speaks of must be there, in this track or in kata's own."""
    problem = grader.problem
    known = {*track.numbers(problem.question.parents[1]), *track.numbers(track.default_root())}
    for path in (problem.question, problem.answer, problem.grader):
        for at, line in enumerate(path.read_text("utf-8").splitlines(), 1) if path.is_file() else ():
            named = {int(number) for link in LINK.finditer(line) for number in link.groups() if number}
            yield from (f"{path.parent.name}/, line {at}: there is no problem {n}" for n in sorted(named - known))


def _signatures(grader: Grader) -> Iterator[str]:
    """Stub, worked answer, reference and accepted variants take the same parameters with the same defaults."""
    problem = grader.problem
    stub, answer = (_defined(path) if path.is_file() else {} for path in (problem.question, problem.answer))
    for name in problem.functions:
        asked, taken = _asked(stub[name]), {"reference": _parameters(grader.references[name])}
        if name in answer:
            taken["worked answer"] = _asked(answer[name])
        wrong = {which: found for which, found in taken.items() if found != asked}
        yield from (
            f"the {which} takes {name}{_told(at)}, the stub {name}{_told(asked)}" for which, at in wrong.items()
        )
    names = [name for name, _ in _asked(stub[problem.functions[0]])]
    for variant in grader.accepted:
        try:
            inspect.signature(variant.function).bind(*names[:1], **dict.fromkeys(names[1:]))
        except TypeError as wrong:
            yield f"the accepted variant {variant.name} can't be called as the stub: {wrong}"


def _defined(path: Path) -> dict[str, ast.FunctionDef]:
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def _asked(stub: ast.FunctionDef) -> list[tuple[str, str]]:
    """Names and defaults of a stub's parameters; «» where there is none."""
    names = [a.arg for a in (*stub.args.posonlyargs, *stub.args.args)]
    defaults = [repr(ast.literal_eval(node)) for node in stub.args.defaults]
    return list(zip(names, [""] * (len(names) - len(defaults)) + defaults, strict=True))


def _parameters(function: Any) -> list[tuple[str, str]]:
    """The same of a reference, without the knobs, which are keyword-only."""
    found = inspect.signature(function).parameters.values()
    positional = [p for p in found if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return [(p.name, "" if p.default is p.empty else repr(p.default)) for p in positional]


def _told(parameters: list[tuple[str, str]]) -> str:
    return "(" + ", ".join(f"{name}={default}" if default else name for name, default in parameters) + ")"
