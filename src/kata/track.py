"""Finds the three shelves and loads a problem: by reading alone where that is enough, by import only for the judge."""

import ast
import difflib
import io
import os
import re
import tokenize
import traceback
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import msgspec

from kata import forbidden, pristine
from kata.errors import KataError
from kata.model import Accepted, Check, Close, Grader, Hint, Limits, Mistake, Problem, Question
from kata.typed import typed

HERE = Path(__file__).resolve().parent
LEAST = 3  # letters that a part of a name must have
SHELVES = ("problems", "solutions", "grader")


def default_root() -> Path:
    """The track that comes with kata: beside the package in a wheel, the repository in a checkout."""
    return HERE / "shelf" if (HERE / "shelf" / "problems").is_dir() else HERE.parents[1]


def find_root(chosen: str | None) -> Path:
    """The track that was asked for (`--track`, then KATA_TRACK), else the one that comes with kata."""
    name = chosen or os.environ.get("KATA_TRACK")
    if not name:
        return default_root()
    root = Path(name).expanduser().resolve()
    missing = [shelf for shelf in SHELVES if not (root / shelf).is_dir()]
    if missing:
        raise KataError(
            f"{root} is not a track: it has no folder {' and no folder '.join(missing)}. "
            "A track holds the three folders problems/, solutions/ and grader/."
        )
    return root


def numbers(root: Path) -> dict[int, Path]:
    """The stub of every problem by number, in order."""
    stubs = sorted((root / "problems").glob("[0-9]*_*.py"))
    return {int(stub.name.split("_")[0]): stub for stub in stubs if stub.name.split("_")[0].isdecimal()}


def problems(root: Path) -> Iterator[Problem]:
    """Every problem of a track, in order."""
    for number in sorted(stubs := numbers(root)):
        yield read(root, stubs[number])


def find(root: Path, word: str) -> Problem:
    """The problem that `word` means: its number, its slug, or a part of its slug that no other has."""
    stubs = numbers(root)
    if word.isdecimal() and int(word) in stubs:
        return read(root, stubs[int(word)])
    names = {stub.stem.split("_", 1)[1]: stub for stub in stubs.values()}
    asked = word.strip().lower().replace("-", "_").removesuffix(".py")
    asked = asked.split("_", 1)[1] if asked.split("_")[0].isdecimal() and "_" in asked else asked
    found = [asked] if asked in names else [name for name in names if len(asked) >= LEAST and asked in name]
    found = found or [name for name, stub in names.items() if len(asked) >= LEAST and _speaks_of(stub, asked)]
    if len(found) == 1:
        return read(root, names[found[0]])
    raise KataError(_unknown(root, word, {name: int(stub.name.split("_")[0]) for name, stub in names.items()}, found))


def _speaks_of(stub: Path, word: str) -> bool:
    """Whether a problem's text uses a word, as problem 29's does «RoPE»."""
    return re.search(rf"\b{re.escape(word)}\b", pristine.text(stub), re.IGNORECASE) is not None


def _unknown(root: Path, word: str, names: dict[str, int], found: list[str]) -> str:
    if found:
        listed = ", ".join(f"{names[name]} {name}" for name in found)
        return f"“{word}” may mean {listed}. Say which by its number."
    words = {part: name for name in names for part in name.split("_") if len(part) > 2} | {name: name for name in names}
    near = [words[close] for close in difflib.get_close_matches(word.lower().replace("-", "_"), words, n=1)]
    guess = f" Did you mean {names[near[0]]} {near[0]}?" if near else ""
    return f"There is no problem “{word}”.{guess} `{typed(root, 'list')}` shows all {len(names)}."


def read(root: Path, stub: Path) -> Problem:
    """A problem, as far as its files tell without being run."""
    tree = _parsed(stub, pristine.text(stub))
    statement = ast.get_docstring(tree) or ""
    title, _, rest = statement.partition("\n")
    grader = root / "grader" / stub.name
    facts = head(grader)
    limits = _limits(grader, facts.get("LIMITS", {}))
    number, slug = stub.stem.split("_", 1)
    return Problem(
        number=int(number),
        slug=slug,
        title=title.strip("# ").strip(),
        statement=rest.strip(),
        functions=tuple(_public(tree)),
        section=str(facts.get("SECTION", "")),
        level=int(facts.get("LEVEL", 1)),
        after=tuple(facts.get("AFTER", ())),
        version=int(facts.get("VERSION", 1)),
        forbids=forbidden.names(facts.get("FORBIDS", ()), grader),
        allows=_allows(grader, facts.get("ALLOWS", ())),
        limits=limits,
        question=stub,
        answer=root / "solutions" / stub.name,
        grader=grader,
    )


def _allows(path: Path, values: Any) -> tuple[str, ...]:
    """The names of packages, each as it is imported; kata's own would bring the references along."""
    names = values if isinstance(values, tuple | list) else ()
    wrong = [name for name in names if not str(name).isidentifier() or name == "kata"]
    if wrong or names is not values:
        shown = wrong[0] if wrong else values
        raise KataError(f'ALLOWS in {path} names packages as they are imported, as in ("einops",), and not {shown!r}')
    return tuple(names)


def _limits(path: Path, values: dict[str, Any]) -> Limits:
    try:
        return msgspec.convert(values, Limits)
    except msgspec.ValidationError as wrong:
        raise KataError(f"LIMITS in {path} is not understood: {wrong}") from None


def _parsed(path: Path, text: str) -> ast.Module:
    try:
        return ast.parse(text, str(path))
    except SyntaxError as wrong:
        raise KataError(f"{path}, line {wrong.lineno}: {wrong.msg}. Mend the track's file and try again.") from None


def _public(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node.name


def parameters(problem: Problem) -> dict[str, list[str]]:
    """The parameter names of every function of a problem, from its stub."""
    tree = _parsed(problem.question, pristine.text(problem.question))
    defs = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    return {name: [a.arg for a in (*defs[name].args.posonlyargs, *defs[name].args.args)] for name in problem.functions}


def head(path: Path) -> dict[str, Any]:
    """The literal assignments that a grader/ file opens with, read without running or even parsing the rest."""
    try:
        text = path.read_text("utf-8")
    except OSError as wrong:
        raise KataError(f"{path} can't be read: {wrong.strerror}. Every problem has a file of that name.") from None
    lines = text.splitlines(keepends=True)
    tree = _parsed(path, "".join(lines[: _end_of_head(path, text)]))
    facts: dict[str, Any] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            facts[node.targets[0].id] = _literal(path, node)
    return facts


def _literal(path: Path, node: ast.Assign) -> Any:
    try:
        return ast.literal_eval(node.value)
    except (ValueError, TypeError):
        shown = ast.unparse(node)[:80]
        raise KataError(
            f"{path}, line {node.lineno}: {shown} is no literal; the head is read without being run"
        ) from None


def _end_of_head(path: Path, text: str) -> int:
    first = True
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            opens = first and (token.string in ("import", "from", "def", "class", "@", "async", "if", "for"))
            if opens:
                return token.start[0] - 1
            first = token.type in (tokenize.NEWLINE, tokenize.NL, tokenize.COMMENT, tokenize.ENCODING)
            first = first or (token.type in (tokenize.INDENT, tokenize.DEDENT))
    except (tokenize.TokenError, IndentationError) as wrong:
        raise KataError(f"{path} is not Python: {wrong}") from None
    return text.count("\n") + 1


def grader(problem: Problem) -> Grader:
    """Runs the grader/ file of a problem: for the judge's process only."""
    space = _run(problem.grader)
    listed = [item for value in space.values() for item in (value if isinstance(value, list | tuple) else [value])]

    def of(kind: type[Any]) -> tuple[Any, ...]:
        return tuple(item for item in listed if isinstance(item, kind))

    return Grader(
        problem=problem,
        references=_references(problem, space),
        close=_close(space),
        checks=_unique(problem, of(Check)),
        mistakes=_unique(problem, of(Mistake)),
        accepted=_unique(problem, of(Accepted)),
        hints=of(Hint),
        quiz=of(Question),
        reading=space.get("reading"),
    )


def _run(path: Path) -> dict[str, Any]:
    spec = spec_from_file_location(f"kata_grader_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as raised:
        line = next(
            (f.lineno for f in reversed(traceback.extract_tb(raised.__traceback__)) if f.filename == str(path)),
            0,
        )
        raise KataError(f"{path}, line {line}: {type(raised).__name__}: {raised}") from raised
    return vars(module)


def _references(problem: Problem, space: dict[str, Any]) -> dict[str, Callable[..., Any]]:
    references = space.get("references") or {problem.functions[0]: space.get("reference")}
    lacking = [name for name in problem.functions if not callable(references.get(name))]
    if lacking:
        raise KataError(f"{problem.grader} gives no reference for {', '.join(lacking)}")
    return dict(references)


def _close(space: dict[str, Any]) -> Close:
    from kata.author import within

    close: Close = space.get("close") or within()
    return close


def _unique(problem: Problem, items: tuple[Any, ...]) -> tuple[Any, ...]:
    names = [item.name for item in items]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise KataError(
            f"{problem.grader} has more than one {type(items[0]).__name__.lower()} named {', '.join(twice)}"
        )
    return items
