"""A notebook as Python: its code cells, with what only a notebook understands taken out."""

import json
import re

from kata.workspace import Unreadable

MAGIC = re.compile(r"(\s*)(?:%[A-Za-z].*|!\S.*|\?+[\w.]+|[\w.]+\?{1,2}|[\w, ]+=\s*(?:%[A-Za-z]|!).*)\s*")
PLAIN_CELLS = ("%%time", "%%timeit", "%%capture")  # the cell below them is Python


def source(data: bytes) -> bytes:
    """The code of all code cells in order; metadata and outputs are not looked at. Raises Unreadable."""
    try:
        cells = json.loads(data)["cells"]
        code = [_text(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Unreadable("not_python", "is no Jupyter notebook (version 4 is read)") from None
    return "\n\n".join(filter(None, map(_python, code))).encode("utf-8", "replace") + b"\n"


def _text(source: object) -> str:
    if isinstance(source, str):
        return source
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    raise TypeError("a cell's source is text")


def _python(cell: str) -> str:
    lines = cell.splitlines()
    if lines and lines[0].startswith("%%"):
        if lines[0].split()[0] not in PLAIN_CELLS:
            return ""
        lines = lines[1:]
    open_brackets, kept = 0, list[str]()
    for line in lines:  # a % or ! inside brackets is an operator, not a magic
        magic = None if open_brackets > 0 else MAGIC.fullmatch(line)
        kept.append(f"{magic[1]}pass" if magic else line)
        open_brackets += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
    return "\n".join(kept)
