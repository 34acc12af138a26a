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
from kata.zygote.confine import LEVEL
from kata.zygote.launch import NO_TORCH, can_fork

TORCH = (2, 13)


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
    yield Fact("sandbox", f"level {LEVEL}: the answer runs in a process of its own, with limits")
    yield Fact("machine", f"{platform.system()} {platform.release()}, {os.cpu_count()} cores")


def _torch() -> Fact:
    try:
        found = version("torch")
    except PackageNotFoundError:
        return Fact("torch", NO_TORCH.format(python=sys.executable), False)
    numbers = tuple(int(part) for part in found.split("+")[0].split(".")[:2])
    wanted = ".".join(map(str, TORCH))
    text = found if numbers >= TORCH else f"{found} is older than {wanted}; mend it: pip install 'torch>={wanted}'"
    return Fact("torch", text, numbers >= TORCH)
