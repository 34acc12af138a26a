"""Wall time of `kata grade 29` on the right answer against `python -c "import torch"`, alternating in one run.

    python benchmarks/grade.py [ROUNDS]
    python benchmarks/grade.py all

Prints the median of each and their ratio, on all cores and pinned to one; and the time of `kata --help` and `list`.
With `all`, the seconds that the checks of each problem take on its worked answer, each in a grade of its own.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KATA = [sys.executable, "-m", "kata"]
TORCH = [sys.executable, "-c", "import torch"]
ANSWER = ROOT / "solutions" / "29_rotary_positional_embeddings.py"
GRADE = [*KATA, "grade", "29", str(ANSWER)]


def seconds(command: list[str], cores: set[int]) -> float:
    """Wall time of one run of a command on these cores."""
    start = time.perf_counter()
    done = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, cores)
    )
    taken = time.perf_counter() - start
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}")
    return taken


def compare(name: str, one: list[str], other: list[str], cores: set[int], rounds: int) -> None:
    """Alternates two commands and prints medians and the median of the paired ratios."""
    pairs = [(seconds(one, cores), seconds(other, cores)) for _ in range(rounds)]
    mine, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    print(f"{name:<28} {mine:6.3f} s   import torch {theirs:6.3f} s   ratio {ratio:.2f}")


def checks(answer: Path) -> float:
    """Seconds that all checks of one problem take in a grade that starts everything anew."""
    done = subprocess.run([*KATA, "grade", answer.stem[:2], str(answer), "--json"], cwd=ROOT, capture_output=True)
    told = json.loads(done.stdout)
    if not told["passed"]:
        raise SystemExit(f"{answer.name} does not pass")
    return float(sum(found["seconds"] for found in told["findings"]))


def every_problem() -> None:
    """Prints the seconds of each problem's checks, the median and the most."""
    taken = {answer.stem: checks(answer) for answer in sorted((ROOT / "solutions").glob("[0-9]*.py"))}
    for name, took in taken.items():
        print(f"{name:<40} {took:6.3f} s")
    print(f"{len(taken)} problems: median {statistics.median(taken.values()):.3f} s, most {max(taken.values()):.3f} s")


def main() -> None:
    """Prints the whole comparison."""
    if sys.argv[1:] == ["all"]:
        return every_problem()
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    cores = os.sched_getaffinity(0)
    seconds(TORCH, cores)  # warms the page cache
    compare(f"grade 29, {len(cores)} cores", GRADE, TORCH, cores, rounds)
    compare("grade 29, 1 core", GRADE, TORCH, {min(cores)}, rounds)
    for words in (["--help"], ["list"]):
        taken = statistics.median(seconds([*KATA, *words], cores) for _ in range(rounds))
        print(f"kata {words[0]:<23} {taken:6.3f} s")


if __name__ == "__main__":
    main()
