"""A new problem: three files that verify as they stand, with a mark wherever its author has something to say."""

import re
from pathlib import Path

from kata.errors import KataError
from kata.files import write
from kata.track import HERE, SHELVES, numbers

MARK = "TO" + "DO"  # spelt so that this file holds none
TEMPLATE = HERE / "template"


def create(root: Path, number: int, slug: str) -> list[Path]:
    """Writes the three files of a problem into a track, which may be a folder that does not exist yet."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", slug):
        raise KataError(f"“{slug}” can't name a function; use small letters, digits and _, as in rotary_embedding.")
    for shelf in SHELVES:
        (root / shelf).mkdir(parents=True, exist_ok=True)
    taken = numbers(root).get(number)
    if taken is not None:
        raise KataError(f"{taken} already has the number {number}. Take another one.")
    name = f"{number:02d}_{slug}.py"
    paths = [root / shelf / name for shelf in SHELVES]
    for shelf, path in zip(SHELVES, paths, strict=True):
        text = (TEMPLATE / f"{shelf}.txt").read_text("utf-8")
        title = slug.replace("_", " ").capitalize()
        write(path, text.replace("FUNCTION", slug).replace("TITLE", title).encode())
    return paths


def unfinished(paths: list[Path]) -> list[str]:
    """Where these files still hold one, as `folder/file:line`."""
    return [
        f"{path.parent.name}/{path.name}:{index}"
        for path in paths
        for index, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if MARK in line
    ]
