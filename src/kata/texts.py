"""Reads hints and quiz out of a grader/ file without running it: they are literal calls, and running needs torch."""

import ast
from collections.abc import Iterator
from pathlib import Path

from kata.errors import KataError
from kata.model import Choice, Hint, Problem, Question


def hints(problem: Problem) -> tuple[Hint, ...]:
    """The ladder of help of a problem."""
    told = (_words(problem.grader, call) for call in _listed(problem.grader, "HINTS"))
    return tuple(Hint(" ".join(text.split()), tuple(answers)) for text, *answers in told)


def quiz(problem: Problem) -> tuple[Question, ...]:
    """The quiz questions of a problem."""
    return tuple(_question(problem.grader, call) for call in _listed(problem.grader, "QUIZ"))


def checks(problem: Problem) -> dict[str, str]:
    """The name and promise of every check that a grader/ file defines, in order."""
    functions = [node for node in _tree(problem.grader).body if isinstance(node, ast.FunctionDef)]
    found = [f for f in functions if any(_called(decorator) == "check" for decorator in f.decorator_list)]
    return {f.name: " ".join((ast.get_docstring(f) or "").split("\n\n")[0].split()) for f in found}


def family(problem: Problem, name: str) -> set[str]:
    """The mistakes that are reported under one name because no call can tell them apart."""
    return {mistake for mistake, kin in _families(_tree(problem.grader)) if kin == name}


def _families(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) == "mistake" and node.args:
            yield _literal(node.args[0]), _keyword(node, "family")
        elif isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and _called(decorator) == "wrong":
                    yield node.name, _keyword(decorator, "family")


def _keyword(call: ast.Call, name: str) -> str:
    return next((_literal(k.value) for k in call.keywords if k.arg == name), "")


def _tree(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_text("utf-8"), str(path))
    except (OSError, SyntaxError) as wrong:
        raise KataError(f"{path} can't be read: {wrong}. Mend the installation or the track.") from None


def _listed(path: Path, name: str) -> list[ast.Call]:
    """The calls in the list (or tuple) that a file assigns to a name."""
    for node in _tree(path).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        value = getattr(node, "value", None)
        named = any(isinstance(target, ast.Name) and target.id == name for target in targets)
        if named and isinstance(value, ast.List | ast.Tuple):
            return [item for item in value.elts if isinstance(item, ast.Call)]
    return []


def _called(node: ast.expr) -> str:
    """The name of the function of a call (or of a bare decorator)."""
    function = node.func if isinstance(node, ast.Call) else node
    return function.id if isinstance(function, ast.Name) else ""


def _question(path: Path, call: ast.Call) -> Question:
    text, *choices = call.args
    return Question(_literal(text), tuple(_choice(path, call) for call in choices if isinstance(call, ast.Call)))


def _choice(path: Path, call: ast.Call) -> Choice:
    text, why = _words(path, call)
    return Choice(text, why, _called(call) == "right")


def _words(path: Path, call: ast.Call) -> list[str]:
    """The literal arguments of a call, those with a keyword last."""
    try:
        return [_literal(node) for node in (*call.args, *(keyword.value for keyword in call.keywords))]
    except ValueError:
        raise KataError(f"{path}, line {call.lineno}: hints and quiz are read, not run, so they hold texts.") from None


def _literal(node: ast.expr) -> str:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _literal(node.left) + _literal(node.right)
    value = ast.literal_eval(node)
    if not isinstance(value, str):
        raise ValueError("not a text")
    return value
