"""What this machine can do, and why; each fact is looked up without importing torch."""

import os
import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from msgspec import Struct

from kata import __version__
from kata.track import numbers
from kata.zygote.launch import can_fork
from kata.zygote.levels import standing
from kata.zygote.start import old_torch, too_old, without_torch


class Fact(Struct, frozen=True):
    """One thing about this machine: whether it is as it should be, and what to do if not."""

    name: str
    text: str
    good: bool = True


def examine(root: Path) -> Iterator[Fact]:
    """Everything that grading here depends on."""
    yield Fact("kata", f"{__version__} in {Path(__file__).parent}")
    yield Fact("python", f"{platform.python_version()} ({sys.executable})", sys.version_info >= (3, 11))
    yield _torch()
    yield Fact("track", f"{len(numbers(root))} problems in {root}", bool(numbers(root)))
    yield Fact(
        "processes",
        "forked from one that imports torch once" if can_fork() else "started one by one (no fork here)",
    )
    yield _sandbox()
    yield Fact("machine", f"{platform.system()} {platform.release()}, {os.cpu_count()} cores")


def _sandbox() -> Fact:
    found = standing(can_fork())
    more = f". For more: {found.more}" if found.more else ""
    return Fact("sandbox", f"level {found.level}: {found.reason}{more}", found.level == "strict")


def _torch() -> Fact:
    try:
        found = version("torch")
    except PackageNotFoundError:
        return Fact("torch", without_torch("it is not installed"), False)
    return Fact("torch", old_torch(found) if too_old(found) else found, not too_old(found))
