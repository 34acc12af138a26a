"""What a problem's files of answers earned under its VERSION, kept so that no verdict changes without a new one.

The record of a track is tests/verdicts/NN_slug.json; `kata verify NN --record` writes it.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

import msgspec
import torch
from msgspec import Struct

from kata import files
from kata.model import Finding, Problem
from kata.zygote.events import Row

Mark = tuple[str, float, float]  # the file's hash, points of its required checks, points of its craft


class Record(Struct, frozen=True):
    """The marks of every file, and where they were given: another torch or processor rounds otherwise."""

    version: int
    torch: str
    processor: str
    marks: dict[str, Mark]


def mark(path: Path, findings: Iterable[Finding]) -> Mark:
    """What one file earned."""
    earned = {"required": 0.0, "craft": 0.0}
    for found in findings:
        earned[found.tier] += found.points
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12], earned["required"], earned["craft"]


def compared(problem: Problem, marks: dict[str, Mark], record: bool) -> Row:
    """Whether the files that are still the same earn what they earned; with `record` that is written down."""
    path = problem.question.parents[1] / "tests" / "verdicts" / f"{problem.name}.json"
    now = Record(problem.version, str(torch.__version__), torch.backends.cpu.get_cpu_capability(), marks)
    if record:
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write(path, msgspec.json.format(msgspec.json.encode(now), indent=1) + b"\n")
        return Row("VERSION", f"{problem.version}: the marks of {len(marks)} files are recorded", True)
    if not path.is_file():
        return Row("VERSION", "nothing recorded", True, f"kata verify {problem.number} --record keeps what files earn")
    then = msgspec.json.decode(path.read_bytes(), type=Record)
    if (then.torch, then.processor) != (now.torch, now.processor):
        return Row("VERSION", "not compared", True, f"recorded with torch {then.torch} on {then.processor}")
    return _judged_otherwise(problem, then, now)


def _judged_otherwise(problem: Problem, then: Record, now: Record) -> Row:
    same = [name for name, mark in now.marks.items() if name in then.marks and then.marks[name][0] == mark[0]]
    moved = [name for name in same if then.marks[name] != now.marks[name]]
    again = f"kata verify {problem.number} --record"
    if then.version != now.version:
        return Row("VERSION", f"{now.version}, recorded under {then.version}", False, again)
    if moved:
        (_, *old), (_, *new) = then.marks[moved[0]], now.marks[moved[0]]
        told = f"{len(moved)} files, such as {moved[0]}, earn {new} (required, craft) where they earned {old}"
        return Row("VERSION", f"{now.version} is no longer true", False, f"{told}; raise VERSION, then {again}")
    return Row("VERSION", f"{now.version}: {len(same)} files earn what they earned", True)
