"""Names that are the answer themselves: found in the source before it runs, and seen when they are called.

A rule for learners, not a wall: whoever hides a name well enough gets round it, and an instructor reads the file.
A forbidden name is dotted (`torch.nn.functional.softmax`), a whole module (`torch.nn.attention`), or a method of
tensors (`Tensor.softmax`).
"""

import ast
import sys
from collections.abc import Iterator
from functools import reduce
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

METHOD = "Tensor."
Hit = tuple[str, int]  # the forbidden name, and the line of the learner's file


def in_source(tree: ast.Module, forbids: tuple[str, ...]) -> tuple[Hit, ...]:
    """Forbidden names in the source: by alias, by from-import, as a method, or by getattr with a constant."""
    if not forbids:
        return ()
    aliases = dict(_aliases(tree))
    hits = dict.fromkeys(_mentions(tree, aliases, forbids))
    return tuple(sorted(hits, key=lambda hit: hit[1]))


def _aliases(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """What each imported name stands for, dotted."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield (name.asname, name.name) if name.asname else (name.name.split(".")[0], name.name.split(".")[0])
        elif isinstance(node, ast.ImportFrom):
            for name in node.names:
                yield name.asname or name.name, f"{node.module}.{name.name}"


def _mentions(tree: ast.Module, aliases: dict[str, str], forbids: tuple[str, ...]) -> Iterator[Hit]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{name.name}" for name in node.names]
        elif isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        elif isinstance(node, ast.Attribute | ast.Call):
            names = [_dotted(node, aliases), _method(node, aliases)]
        else:
            continue
        for name in names:
            if found := _forbidden(name, forbids):
                yield found, node.lineno


def _dotted(node: ast.expr, aliases: dict[str, str]) -> str:
    """`F.softmax` or `getattr(F, "softmax")` as the full name that it stands for, or nothing."""
    match node:
        case ast.Name(name):
            return aliases.get(name, "")
        case ast.Attribute(value, name):
            inner = _dotted(value, aliases)
            return f"{inner}.{name}" if inner else ""
        case ast.Call(ast.Name("getattr"), [value, ast.Constant(str(name)), *_]):
            inner = _dotted(value, aliases)
            return f"{inner}.{name}" if inner else ""
    return ""


def _method(node: ast.expr, aliases: dict[str, str]) -> str:
    """`x.softmax` and `torch.Tensor.softmax` as `Tensor.softmax`: any attribute of what is no module."""
    match node:
        case ast.Attribute(value, name) | ast.Call(ast.Name("getattr"), [value, ast.Constant(str(name)), *_]):
            inner = _dotted(value, aliases)
            return METHOD + str(name) if not inner or inner.endswith(".Tensor") else ""
    return ""


def _forbidden(name: str, forbids: tuple[str, ...]) -> str:
    return next((banned for banned in forbids if name == banned or (name and name.startswith(f"{banned}."))), "")


class Shortcuts(TorchFunctionMode):
    """Notes calls of forbidden functions that the learner's file makes, however they got their names."""

    def __init__(self, forbids: tuple[str, ...], filename: str) -> None:
        super().__init__()
        self._filename = filename
        self._names = {found: name for name in forbids if (found := _object(name)) is not None and callable(found)}
        self._modules = tuple(name for name in forbids if name in sys.modules)
        self.hits: list[Hit] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = self._names.get(func) or next((m for m in self._modules if _within(func, m)), "")
        if name and len(self.hits) < 20:
            self._note(name)
        return func(*args, **(kwargs or {}))

    def _note(self, name: str) -> None:
        frame = sys._getframe(2)
        while frame is not None and frame.f_code.co_filename != self._filename:
            frame = frame.f_back  # type: ignore[assignment]
        if frame is not None and (name, frame.f_lineno) not in self.hits:
            self.hits.append((name, frame.f_lineno))


def _object(name: str) -> Any:
    parts = name.removeprefix(METHOD).split(".") if name.startswith(METHOD) else name.split(".")[1:]
    start: Any = torch.Tensor if name.startswith(METHOD) else torch
    try:
        return reduce(getattr, parts, start)
    except AttributeError:
        return None


def _within(func: Any, module: str) -> bool:
    own = getattr(func, "__module__", None) or ""
    return own == module or own.startswith(f"{module}.")
