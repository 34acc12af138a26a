"""Takes out of a notebook what defines an answer: the function, and what its code refers to; nothing else is run."""

import ast
import contextlib
import json
import re
import symtable
import warnings
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from kata.errors import KataError, Unreadable

TIMED = ("%%time", "%%timeit", "%%capture")  # cell magics whose cell is Python all the same
MAGIC = re.compile(r"(\s*)(?:%[A-Za-z].*|!\S.*|\?+[\w.*]+|[\w.*]+\?{1,2}|\w[\w, ]*=\s*(?:%[A-Za-z]|!).*)\s*")
NO_CODE = re.compile(r"#.*|'[^'\n]*'|\"[^\"\n]*\"")
# What is never read and may be large: pictures, and whatever somebody hides there.
UNREAD: dict[str, Any] = {"outputs": [], "attachments": {}, "metadata": {}}
CODE_CAP = 2**20


class Statement(Struct, frozen=True):
    """One statement at the top of a cell: the names that it gives a value, and those that it reads."""

    text: str
    binds: frozenset[str]
    reads: frozenset[str]


def extracted(content: bytes, functions: tuple[str, ...], name: str) -> bytes:
    """The source of an answer; raises Unreadable for half a notebook, or one that defines none of the functions."""
    cells = [plain(cell) for cell in _cells(content, name)]
    statements = [statement for cell in cells for statement in _statements(cell, functions)]
    defined = frozenset().union(*(statement.binds for statement in statements))
    missing = [function for function in functions if function not in defined]
    if missing:
        raise Unreadable("missing_function", f"no code cell of {name} defines {missing[0]}")
    return "\n\n".join(_needed(statements, frozenset(functions))).encode("utf-8", "replace") + b"\n"


def code(content: bytes, name: str) -> str:
    """The Python of all code cells, to be looked at; raises Unreadable."""
    return "\n\n".join(map(plain, _cells(content, name)))


def _cells(content: bytes, name: str) -> Iterator[str]:
    try:
        import nbformat
    except ImportError:
        raise KataError("Notebooks are read by nbformat, which is gone. Mend it: pip install nbformat") from None
    try:
        code = json.dumps(json.loads(content, object_hook=_lean))
        if len(code) > CODE_CAP:
            raise Unreadable(
                "too_large", f"{name} holds {len(code):,} characters of code; at most {CODE_CAP:,} are read"
            )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cells = nbformat.reads(code, as_version=4).cells
        return iter([str(cell.source) for cell in cells if cell.cell_type == "code"])
    except Unreadable:
        raise
    except Exception as wrong:  # JSON, encoding, a format of the future: nbformat has many ways to say so
        said = str(wrong).strip().splitlines()[:1] or [type(wrong).__name__]
        text = f"{name} is not a whole notebook: {said[0][:120]}. Save it again in Jupyter"
        raise Unreadable("unreadable", text) from None


def _lean(part: dict[str, Any]) -> dict[str, Any]:
    """A part of a notebook without what is never read, which may be large."""
    return part | {name: nothing for name, nothing in UNREAD.items() if name in part}


def plain(cell: str) -> str:
    """A cell as Python, line for line: a magic is `pass`, and a cell in another language is nothing."""
    lines = re.split(r"\r\n?|\n", cell)  # as Python counts them
    first = next((line for line in lines if line.strip()), "")
    if first.startswith("%%"):
        if not first.startswith(TIMED):
            return ""
        lines[lines.index(first)] = ""
    text = "\n".join(lines)
    return text if _parsed(text) else _without_magics(lines)


def _without_magics(lines: list[str]) -> str:
    """The lines with `pass` for magics; a % or ! inside brackets is an operator."""
    kept, depth = list[str](), 0
    for line in lines:
        magic = None if depth > 0 else MAGIC.fullmatch(line)
        kept.append(f"{magic[1]}pass" if magic else line)
        code = "" if magic else NO_CODE.sub("", line)
        depth += sum(map(code.count, "([{")) - sum(map(code.count, ")]}"))
    return "\n".join(kept)


def _parsed(text: str) -> ast.Module | None:
    """The syntax tree of a cell; None where Python can't read it, or gives up on how deep it goes."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _statements(cell: str, functions: tuple[str, ...]) -> Iterator[Statement]:
    tree = _parsed(cell)
    if tree is None:
        found = frozenset(name for name in functions if re.search(rf"\bdef\s+{name}\b|^{name}\s*=", cell, re.M))
        if found:  # Python's own words about it are in the report
            yield Statement(cell, found, frozenset())
        return
    lines = cell.encode().split(b"\n")
    for node in tree.body:
        if not isinstance(node, ast.Expr):
            yield _statement(_text(lines, node), node)


def _statement(text: str, node: ast.stmt) -> Statement:
    """A statement; where it goes too deep to be followed, without the names that lie below."""
    binds, reads = frozenset[str](), frozenset[str]()
    with contextlib.suppress(RecursionError):
        binds = frozenset(_bound(node))
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        reads = frozenset(_read(symtable.symtable(text, "cell", "exec")))
    return Statement(text, binds, reads)


def _text(lines: list[bytes], node: ast.stmt) -> str:
    first: int = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    begin = node.col_offset if first == node.lineno else 0  # after a `;`
    last = node.end_lineno or first
    if first == last:
        return lines[first - 1][begin : node.end_col_offset].decode()
    return b"\n".join(
        [lines[first - 1][begin:], *lines[first : last - 1], lines[last - 1][: node.end_col_offset]]
    ).decode()


def _bound(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
            return
        case ast.Import() | ast.ImportFrom():
            yield from ((alias.asname or alias.name).split(".")[0] for alias in node.names)
        case ast.Name(ctx=ast.Store()):
            yield node.id
        case ast.Lambda():
            return
    for inner in ast.iter_child_nodes(node):
        yield from _bound(inner)


def _read(table: symtable.SymbolTable) -> Iterator[str]:
    """The names that code looks up among the notebook's own: not parameters, nor what a function keeps to itself."""
    top = table.get_type() == "module"
    yield from (s.get_name() for s in table.get_symbols() if s.is_referenced() and (top or s.is_global()))
    for inner in table.get_children():
        yield from _read(inner)


def _needed(statements: list[Statement], names: frozenset[str]) -> Iterator[str]:
    """The statements that the names depend on, in order: those that bind one of them, and what these read."""
    binding: dict[str, list[int]] = {}
    for index, statement in enumerate(statements):
        for name in statement.binds:
            binding.setdefault(name, []).append(index)
    waiting, known, needed = [*names, "*"], {*names, "*"}, set[int]()
    while waiting:
        new = [index for index in binding.get(waiting.pop(), ()) if index not in needed]
        needed.update(new)
        more = frozenset[str]().union(*(statements[index].reads for index in new)) - known
        known |= more
        waiting += more
    yield from (statements[index].text for index in sorted(needed))
