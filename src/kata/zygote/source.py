"""Runs a learner's source as a fresh module and finds the functions it must define."""

import ast
import inspect
import linecache
import sys
import traceback
import unicodedata
from collections.abc import Callable
from types import ModuleType
from typing import Any

from msgspec import Struct

from kata.model import Error, ErrorKind, Line, Raised
from kata.stub import is_stub
from kata.words import kind
from kata.zygote.perform import said
from kata.zygote.shortcuts import in_source

MODULE = "answer"
QUOTED = 90  # characters of a line at most
Function = Callable[..., Any]


class Source(Struct, frozen=True):
    """A learner's file, and what the problem asks of it."""

    text: bytes
    filename: str
    functions: tuple[str, ...]
    parameters: dict[str, list[str]]  # of the problem's own stubs, by function
    forbids: tuple[str, ...] = ()


class Refused(Exception):
    """The file can't be judged; carries the error that the report will hold."""

    def __init__(self, error: Error) -> None:
        super().__init__(error.message)
        self.error = error


class Compiled(Struct, frozen=True):
    """What reading a file gave before anything of it ran."""

    code: Any
    shortcuts: tuple[tuple[str, int], ...]


def compiled(source: Source) -> Compiled:
    """The code object and the shortcuts it mentions, or Refused when the bytes are not Python or hold only the stub."""
    try:
        tree = ast.parse(source.text, source.filename)
        code = compile(source.text, source.filename, "exec", dont_inherit=True)
    except SyntaxError as wrong:
        kind: ErrorKind = "syntax" if wrong.lineno else "not_python"
        said = f"{type(wrong).__name__}: {wrong.msg}{quoted(wrong, source.text)}"
        raise Refused(Error(kind, said, wrong.lineno or None)) from None
    except (ValueError, RecursionError, MemoryError, OverflowError) as wrong:
        said = str(wrong) or type(wrong).__name__
        raise Refused(Error("not_python", f"Python can't read this file: {said}")) from None
    if not tree.body:
        nothing = "holds no code, only comments" if source.text.strip() else "is empty"
        raise Refused(Error("missing_function", f"the file {nothing}"))
    _written(tree, source)
    return Compiled(code, in_source(tree, source.forbids))


def quoted(wrong: SyntaxError, source: bytes) -> str:
    """The learner's own line under the words of Python, with carets where Python sees the mistake."""
    wrong = _in_characters(wrong, source)
    lines = source.decode("utf-8", "replace").split("\n")
    number = wrong.lineno or 0
    line = wrong.text or (lines[number - 1] if 0 < number <= len(lines) else "")
    text, at = line.rstrip("\n\r").replace("\t", " "), (wrong.offset or 1) - 1
    if not number or not text.strip():
        return ""
    first = max(len(text) - len(text.lstrip()), at - QUOTED // 2)
    last = (wrong.end_offset or 0) - 1 if wrong.end_lineno == number else 0
    shown = text[first : first + QUOTED]
    many = min(max(1, last - at), max(1, first + len(shown) - at))
    margin = f"{number} | "
    blank = " " * (len(margin) + sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text[first:at]))
    return f"\n{margin}{shown}\n{blank}{'^' * many}"


def _in_characters(wrong: SyntaxError, source: bytes) -> SyntaxError:
    """The same error with its place counted in characters: up to Python 3.12 it is counted in bytes for bytes."""
    try:
        ast.parse(source.decode("utf-8-sig"))
    except SyntaxError as again:
        return again if again.lineno == wrong.lineno else wrong
    except (ValueError, RecursionError, MemoryError, OverflowError):
        pass
    return wrong


def _written(tree: ast.Module, source: Source) -> None:
    defined = {name: node for node in tree.body for name in _binds(node)}  # what comes last counts
    for name in source.functions:
        node = defined.get(name)
        if isinstance(node, ast.FunctionDef) and is_stub(node):
            raise Refused(Error("not_written", f"{name} is not written yet", node.lineno))


def _binds(node: ast.stmt) -> list[str]:
    """The names that a statement gives a meaning to."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
            return [name]
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [alias.asname or alias.name for alias in names]
    return []


def load(source: Source, compiled: Compiled) -> dict[str, Function]:
    """The functions of a freshly executed file; raises Refused where it can't be run or lacks one of them."""
    linecache.cache[source.filename] = (
        len(source.text),
        None,
        source.text.decode("utf-8", "replace").splitlines(keepends=True),
        source.filename,
    )
    module = ModuleType(MODULE)
    module.__file__ = source.filename
    sys.modules[MODULE] = module
    try:
        exec(compiled.code, module.__dict__)
    except BaseException as raised:
        told = explain(source.filename)(raised)
        text = f"{told.kinds[0]}: {told.message}".rstrip(": ")
        if not told.lines:
            raise Refused(Error("import", text)) from None
        last = told.lines[-1]
        raise Refused(Error("import", f"{text}\n{last.number} | {last.text[:QUOTED]}", last.number)) from None
    return {name: _found(module, name, source) for name in source.functions}


def _found(module: ModuleType, name: str, source: Source) -> Function:
    function = module.__dict__.get(name)
    if function is None:
        raise Refused(Error("missing_function", _missing(module, name)))
    if not callable(function):
        text = f"{name} is {kind(function)}, not a function"
        raise Refused(Error("missing_function", text))
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise Refused(Error("signature", f"{name} is async; a plain function is asked for"))
    fits(function, name, source.parameters.get(name, []))
    return function  # type: ignore[no-any-return]


def _missing(module: ModuleType, name: str) -> str:
    own = [n for n, v in module.__dict__.items() if callable(v) and getattr(v, "__module__", "") == MODULE]
    names = f"; it defines {', '.join(sorted(own)[:8])}" if own else ""
    return f"the file defines no function named {name}{names}"


def fits(function: Function, name: str, parameters: list[str]) -> None:
    """The stub's parameters must be accepted by position and, past the first, by name."""
    try:
        signature = inspect.signature(function)
    except BaseException:
        return  # a callable without a readable signature is judged by its calls
    positional, keyword = parameters[:1], parameters[1:]
    try:
        signature.bind(*positional, **dict.fromkeys(keyword))
        signature.bind(*parameters)
    except TypeError as wrong:
        asked = f"{name}({', '.join(parameters)})"
        raise Refused(Error("signature", f"{name}{_spelled(signature)} can't be called as {asked}: {wrong}")) from None


def _spelled(signature: inspect.Signature) -> str:
    """A signature without annotations and with … for each default: their texts may be long, or raise."""
    bare = [
        p.replace(annotation=p.empty, default=p.empty if p.default is p.empty else DEFAULT)
        for p in signature.parameters.values()
    ]
    return str(signature.replace(parameters=bare, return_annotation=signature.empty))


class _Default:
    def __repr__(self) -> str:
        return "…"


DEFAULT = _Default()


def explain(filename: str) -> Callable[[BaseException], Raised]:
    """A function that tells an exception in the learner's own lines."""

    def told(raised: BaseException) -> Raised:
        kinds = tuple(str(kind.__name__)[:100] for kind in type(raised).__mro__[:-1])
        try:
            frames = traceback.extract_tb(raised.__traceback__)
        except BaseException:
            return Raised(kinds, said(raised))
        lines = [Line(f.lineno or 0, f.name, (f.line or "")[:200]) for f in frames if f.filename == filename]
        return Raised(kinds, said(raised), tuple(lines[-8:]))

    return told
