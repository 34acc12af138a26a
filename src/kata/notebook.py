"""Takes out of a notebook what defines an answer: the function, and what its code refers to; nothing else is run."""

import ast
import re
import symtable
import warnings
from collections.abc import Iterator

from msgspec import Struct

from kata.errors import KataError, Unreadable

TIMED = ("%%time", "%%timeit", "%%capture")  # cell magics whose cell is Python all the same
MAGIC = re.compile(r"^\s*(?:[%!?]|\w+\s*=\s*[%!]|.*[^\s#'\"]\?{1,2}\s*$)")


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
    return "\n\n".join(_needed(statements, frozenset(functions))).encode() + b"\n"


def _cells(content: bytes, name: str) -> Iterator[str]:
    try:
        import nbformat
    except ImportError:
        raise KataError("To read a notebook, nbformat is needed: pip install 'torch-kata[notebook]'") from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cells = nbformat.reads(content.decode("utf-8"), as_version=4).cells
        return iter([str(cell.source) for cell in cells if cell.cell_type == "code"])
    except Exception as wrong:  # JSON, encoding, a format of the future: nbformat has many ways to say so
        said = str(wrong).strip().splitlines()[:1] or [type(wrong).__name__]
        text = f"{name} is not a whole notebook: {said[0][:120]}. Save it again in Jupyter"
        raise Unreadable("unreadable", text) from None


def plain(cell: str) -> str:
    """A cell as Python: its magics are empty lines, and so is a cell in another language."""
    lines = cell.split("\n")
    first = next((line for line in lines if line.strip()), "")
    if first.startswith("%%") and not first.startswith(TIMED):
        return ""
    return "\n".join("" if MAGIC.match(line) else line for line in lines)


def _statements(cell: str, functions: tuple[str, ...]) -> Iterator[Statement]:
    try:
        tree = ast.parse(cell)
    except (SyntaxError, ValueError):
        found = frozenset(name for name in functions if re.search(rf"\bdef\s+{name}\b|^{name}\s*=", cell, re.M))
        if found:  # Python's own words about it are in the report
            yield Statement(cell, found, frozenset())
        return
    lines = cell.encode().split(b"\n")
    for node in tree.body:
        if not isinstance(node, ast.Expr):
            text = _text(lines, node)
            yield Statement(text, frozenset(_bound(node)), frozenset(_read(symtable.symtable(text, "cell", "exec"))))


def _text(lines: list[bytes], node: ast.stmt) -> str:
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    whole = lines[first - 1 : node.end_lineno]
    whole[-1] = whole[-1][: node.end_col_offset]
    if first == node.lineno:
        whole[0] = whole[0][node.col_offset :]  # after a `;`
    return b"\n".join(whole).decode()


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
    wanted = names | {"*"}
    while True:
        more = wanted.union(*(s.reads for s in statements if s.binds & wanted))
        if more == wanted:
            break
        wanted = more
    yield from (statement.text for statement in statements if statement.binds & wanted)
