"""What a learner waits for under `kata watch`: from a save to the first verdict and to the whole report, on a real pty.

    python benchmarks/watch.py [SAVES] [NUMBER]

Each save replaces the answer by another (os.replace, as editors do); the clock runs until the bytes arrive on the pty.
"""

import os
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path

import pexpect

ROOT = Path(__file__).resolve().parents[1]
KATA = [sys.executable, "-m", "kata"]
VERDICT = re.compile(rb"\xe2\x9c[\x94\x98]")  # ✔ or ✘
WHOLE = re.compile(rb"\bquit\b")  # the footer, which is drawn when all is there
TARGETS = {"first verdict": 0.15, "whole report": 0.5}


def save(file: Path, text: str) -> float:
    """Puts a new text in place at once; when that was done."""
    new = file.with_name(".saving")
    new.write_text(text, "utf-8")
    new.replace(file)
    return time.perf_counter()


def wait(terminal: "pexpect.spawn[bytes]", pattern: re.Pattern[bytes]) -> float:
    """When these bytes had arrived."""
    terminal.expect(pattern, timeout=60)
    return time.perf_counter()


def measure(saves: int, number: int, folder: Path) -> dict[str, list[float]]:
    """Seconds from each save to the first verdict and to the whole report."""
    home = folder / "home"
    pexpect.run(" ".join([*KATA, "init", str(home)]), cwd=str(folder))
    stub = next((ROOT / "problems").glob(f"{number:02}_*.py")).name
    answer, file = (ROOT / "solutions" / stub).read_text("utf-8"), home / "problems" / stub
    save(file, answer)
    terminal = pexpect.spawn(KATA[0], [*KATA[1:], "watch", str(number)], cwd=str(home), dimensions=(50, 110))
    terminal.delaybeforesend = None
    wait(terminal, WHOLE)
    time.sleep(6)  # the judge is warmed up while the learner reads
    found: dict[str, list[float]] = {name: [] for name in TARGETS}
    for i in range(saves):
        start = save(file, f"{answer}\n# save {i}\n")
        found["first verdict"].append(wait(terminal, VERDICT) - start)
        found["whole report"].append(wait(terminal, WHOLE) - start)
        time.sleep(0.3)
    terminal.send("q")
    terminal.expect(pexpect.EOF, timeout=20)
    return found


def main() -> None:
    """Prints medians and the worst, beside what they should be."""
    words = [int(word) for word in sys.argv[1:]]
    saves, number = words[0] if words else 20, words[1] if len(words) > 1 else 29
    with tempfile.TemporaryDirectory() as folder:
        found = measure(saves, number, Path(folder))
    print(f"problem {number}, {saves} saves, {len(os.sched_getaffinity(0))} cores")
    for name, seconds in found.items():
        middle = statistics.median(seconds)
        ratio = middle / TARGETS[name]
        print(f"{name:<14} median {middle:.3f} s   worst {max(seconds):.3f} s   {ratio:.2f} of {TARGETS[name]} s")


if __name__ == "__main__":
    main()
