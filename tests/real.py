"""Running the real command: as a program of its own, in a learner's folder, with all its processes in sight."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from kata.model import Report

ROOT = Path(__file__).resolve().parents[1]
MODULE = [sys.executable, "-P", "-m", "kata"]
SCRIPT = [str(Path(sys.executable).with_name("kata"))]
T = TypeVar("T")

QUESTION = '''"""# Double

Twice the number.
"""


def double(n: int) -> int:
    """2n"""
    raise NotImplementedError
'''
ANSWER = '''"""# Double: a worked answer"""


def double(n: int) -> int:
    """2n"""
    return n + n
'''
GRADER = '''"""How double is graded."""

SECTION = "Testing"
LEVEL = 1
AFTER = ()
VERSION = 1
FORBIDS = ()
LIMITS = {"cpu_seconds": 1, "wall_seconds": 8, "memory_mib": 256}

from kata.author import call, check


def reference(n):
    return 2 * n


@check(points=1)
def before(draw):
    """Small numbers are right."""
    yield call(1, want=reference)
    yield call(2, want=reference)


@check(points=1)
def during(draw):
    """Thirteen is right."""
    yield call(12, want=reference)
    yield call(13, want=reference)


@check(points=1)
def after(draw):
    """Large numbers are right."""
    yield call(1000, want=reference)
'''


def track(root: Path) -> Path:
    """A track with one small problem of three checks, number 5; only `during` calls the answer with 13."""
    for shelf, text in (("problems", QUESTION), ("solutions", ANSWER), ("grader", GRADER)):
        (root / shelf).mkdir(parents=True)
        (root / shelf / "05_double.py").write_text(text, "utf-8")
    return root


def unlucky(statement: str, above: str = "") -> str:
    """An answer that is right for every number but 13, at which it runs a statement."""
    return f"{above}\ndef double(n):\n    if n == 13:\n        {statement}\n    return 2 * n\n"


def environment(**more: str) -> dict[str, str]:
    """The caller's environment as a learner's terminal would have it: no colours, 100 columns, bytecode is cached."""
    dropped = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "KATA_TRACK", "FORCE_COLOR")
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return kept | {"NO_COLOR": "1", "COLUMNS": "100", "TERM": "dumb"} | more


def kata(
    *args: str | int | Path,
    cwd: Path,
    launcher: list[str] = MODULE,
    env: dict[str, str] | None = None,
    timeout: float = 120,
    **more: Any,
) -> subprocess.CompletedProcess[str]:
    """Runs the command to its end."""
    return subprocess.run(
        [*launcher, *map(str, args)],
        cwd=cwd,
        env=environment(**(env or {})),
        text=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
        **({"capture_output": True} | more),
    )


def complaints(stderr: str) -> str:
    """What stderr says beyond the remark that nothing is recorded outside a workspace."""
    lines = stderr.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("kata: You are in no workspace"))


def report(done: subprocess.CompletedProcess[str]) -> Report:
    """The report that `--json` printed, and nothing beside it."""
    return msgspec.json.decode(done.stdout, type=Report)


def verdicts(told: Report) -> dict[str, str]:
    """How each check ended."""
    return {finding.check: finding.verdict for finding in told.findings}


# ── Processes ───────────────────────────────────────────────────────────────────────────────────────────────────────


class Process:
    """A process by its number and start, so that a number that is used again is not taken for it."""

    def __init__(self, pid: int) -> None:
        self.pid, self.started = pid, stat(pid)[19]

    def alive(self) -> bool:
        """Whether it still runs."""
        try:
            fields = stat(self.pid)
        except OSError:
            return False
        return fields[19] == self.started and fields[0] != "Z"


def stat(pid: int) -> list[str]:
    """/proc/PID/stat from the state on: state, parent, group, session, … the start at index 19."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def marked(marker: str) -> Iterator[int]:
    """Every process whose first environment holds `marker` (forks keep that of the program that they were)."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if marker.encode() in (folder / "environ").read_bytes() and int(folder.name) != os.getpid():
                yield int(folder.name)


def readable(pid: int) -> bool:
    """Whether a process shows its environment; a learner's child shows it to root alone."""
    return os.access(f"/proc/{pid}/environ", os.R_OK)


def family(pid: int) -> list[int]:
    """A process and everything that descends from it."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            children.setdefault(int(stat(int(folder.name))[1]), []).append(int(folder.name))
    found, waiting = list[int](), [pid]
    while waiting:
        found.append(one := waiting.pop())
        waiting += children.get(one, [])
    return found


def memory(pids: list[int]) -> int:
    """Bytes of memory that these processes hold together: what they share is counted once."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
            total += sum(int(line.split()[1]) * 1024 for line in rollup.splitlines() if line.startswith("Pss:"))
    return total


def until(question: Callable[[], T], seconds: float = 20) -> T:
    """Asks until the answer is true; fails after a while."""
    end = time.monotonic() + seconds
    while not (answer := question()):
        assert time.monotonic() < end, f"not so within {seconds} seconds"
        time.sleep(0.02)
    return answer
