"""What this machine can do, and why; each fact is looked up without importing torch."""

import os
import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from msgspec import Struct

from kata import __version__
from kata.progress import FILE
from kata.track import numbers
from kata.workspace import around, remark
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
    yield _notebooks()
    yield Fact("track", f"{len(numbers(root))} problems in {root}", bool(numbers(root)))
    yield Fact("workspace", remark(root) or _home(root))
    once = "PyTorch is imported once, and every answer runs in a fork of that process"
    yield Fact(
        "processes", once if can_fork() else "no fork here: every process imports PyTorch anew, which takes longer"
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
    return Fact("torch", old_torch(found) if too_old(found) else f"{found} is installed", not too_old(found))


def _notebooks() -> Fact:
    try:
        return Fact("notebooks", f"can be graded, by nbformat {version('nbformat')}")
    except PackageNotFoundError:
        return Fact("notebooks", "can't be graded: nbformat, which comes with kata, is gone; pip install nbformat")


def _home(root: Path) -> str:
    home = around(root)
    assert home is not None  # or there would be a remark
    return f"{home.root}, with what you did in {home.records / FILE}"
