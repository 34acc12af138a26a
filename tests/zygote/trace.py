"""Which system calls learners' children make, traced over the whole suite, beside the table of those allowed.

    python -m tests.zygote.trace [NUMBER…]

Wants strace. Every worked answer and the odd corners of torch are judged cold and warm, every right file of
tests/learners and a part of the wrong ones warm; of each child's calls those count that come after it is confined.
"""

import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from msgspec import Struct

from kata import track
from kata.model import Job, Limits, Problem, Submission
from kata.zygote import launch
from kata.zygote.start import command
from kata.zygote.syscalls import GROUPS
from tests.attacks import suite
from tests.zygote.test_landlock import WORK

LEARNERS = Path(__file__).resolve().parents[1] / "learners"
ONE_IN = 25  # of the wrong files
CORNERS = "".join(f"    {line}\n" for line in WORK.strip().splitlines())
CORNERS = f"def unit_rows(x, scale=1.0):\n{CORNERS}    return x / x.norm(dim=-1, keepdim=True) * scale\n"
CONFINED = re.compile(r"^(prctl\(PR_SET_SECCOMP|seccomp\(SECCOMP_SET_MODE_FILTER).* = 0$")
CALL = re.compile(r"^(\w+)\(.*\) += (\S+)(?: (E[A-Z0-9]+))?")
TRIED = {"mkdir"}  # torch.func asks for its compiler's cache, which is the folder /, and goes on without
PATIENT = Limits(60.0, 600.0, 1024)  # every call stops twice under strace


class Traced(Struct, frozen=True):
    """What the children of a run did: how many they were, and how often each call was made, by how it ended."""

    children: int
    made: Counter[str]
    refused: Counter[str]  # with an error that the filter may have given

    @property
    def names(self) -> set[str]:
        """Every call that was tried."""
        return set(self.made) | set(self.refused)


def submissions(problem: Problem, warm: bool) -> Iterator[Submission]:
    """What a problem is traced with: in processes that have yet to import what they need, the worked answer alone."""
    yield Submission(problem.answer.name, problem.answer.read_bytes())
    if not warm:
        return
    right = sorted((LEARNERS / problem.name / "right").glob("*.py"))
    wrong = sorted((LEARNERS / problem.name / "wrong").glob("*.py"))
    for path in (*right, *wrong[::ONE_IN]):
        yield Submission(path.name, path.read_bytes())


def traced(numbers: list[int]) -> Traced:
    """Judges everything below strace, cold and warm, and counts what the children did."""
    cold, warm = (_traced(jobs(numbers, warm), warm) for warm in (False, True))
    return Traced(cold.children + warm.children, cold.made + warm.made, cold.refused + warm.refused)


def _traced(work: list[Job], warm: bool) -> Traced:
    with tempfile.TemporaryDirectory(prefix="kata-trace-") as folder:
        below = [strace(), "-ff", "-qq", "-s", "0", "-o", f"{folder}/call"]
        with patch.object(launch, "command", lambda *words: [*below, *command(*words)]), launch.Engine(warm) as engine:
            for job in work:
                engine.report(job, PATIENT)
        return counted(Path(folder))


def strace() -> str:
    """The program, or a sentence on how to get it."""
    found = shutil.which("strace")
    if found is None:
        sys.exit("strace is not installed; where apt is: apt-get install strace")
    return found


def counted(folder: Path) -> Traced:
    """The calls that confined processes made, from one file for each process."""
    children, made, refused = 0, Counter[str](), Counter[str]()
    for path in folder.iterdir():
        lines = iter(path.read_text("utf-8", "replace").splitlines())
        if not any(CONFINED.match(line) for line in lines):
            continue
        children += 1
        for line in lines:
            if found := CALL.match(line):
                (refused if found[3] in ("EPERM", "ENOSYS") else made)[found[1]] += 1
    return Traced(children, made, refused)


def jobs(numbers: list[int], warm: bool) -> list[Job]:
    """Everything that is judged."""
    root = track.default_root()
    work = [suite.job(CORNERS.encode(), "corners")]
    for problem in track.problems(root):
        if not numbers or problem.number in numbers:
            work += [Job(str(root), problem.number, given, warm=warm) for given in submissions(problem, warm)]
    return work


def calls(*verdicts: str, traced: bool | None = None) -> set[str]:
    """The calls of the table with these verdicts; of groups that are traced or not, where that is asked for."""
    groups = [group for group in GROUPS if group.verdict in verdicts and traced in (None, group.traced)]
    return {name for group in groups for name in group.calls.split()}


def lacks(found: Traced) -> list[str]:
    """Where the table and what was traced differ."""
    allowed, known = calls("allow", "part"), calls("allow", "part", "unknown") | TRIED
    return [
        *(f"{name} goes through and is not in the table" for name in sorted(set(found.made) - allowed)),
        *(f"{name} is tried and refused: needed or not?" for name in sorted(set(found.refused) - known)),
        *(f"{name} is never made" for name in sorted(calls("allow", "part", traced=True) - found.names)),
        *(f"{name} is made after all" for name in sorted(calls("allow", "part", traced=False) & found.names)),
    ]


def main(*numbers: str) -> int:
    """Prints what was traced, and where the table differs."""
    found = traced([int(number) for number in numbers])
    print(f"{found.children} children; calls that went through:")
    print("\n".join(f"  {count:9,} {name}" for name, count in found.made.most_common()))
    print("refused:", *(f"{name} × {count}" for name, count in found.refused.most_common()))
    print("\n".join(lacks(found) or ["the table is right"]))
    return bool(lacks(found))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
