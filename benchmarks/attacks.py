"""How many hostile submissions get full marks: an in-process grader, plain pytest, and kata.

    python benchmarks/attacks.py

Every attack of tests/attacks returns zeros, which are worth nothing. «harm» counts what an attack did beside marks:
crashed or stopped the grader, read a secret, wrote a file, killed a process, wrote raw escapes into a result.
"""

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kata.zygote.launch import Engine
from tests.attacks import suite
from tests.attacks.suite import Arena, Attack, Controls, attacks

HARM = ("crash", "hang", "leak", "mark", "flood", "raw", "escape")


def elsewhere(controls: Controls, attack: Attack, control: str) -> tuple[bool, bool]:
    """Whether an attack gets full marks from a common grader, and whether it does harm there."""
    told = controls.outcome(attack, control)
    harm = [name for name in HARM if told[name] and not (name == "crash" and control == "pytest")]
    return told["marks"], bool(harm)


def main() -> None:
    """Runs every attack against all three and prints the table."""
    arena = Arena()
    controls = Controls(arena)
    marks, harm = Counter[str](), Counter[str]()
    found = [*attacks("catalogue"), *attacks("fresh")]
    with suite.planted():
        engine = Engine()
    with engine:
        seat = engine.seat()
        for attack in found:
            for control in ("naive", "pytest"):
                full, harmed = elsewhere(controls, attack, control)
                marks[control] += full
                harm[control] += harmed
            report, seconds = suite.ours(seat, arena, attack)
            marks["kata"] += bool(report.score)
            harm["kata"] += any(True for _ in suite.faults(report, seconds, arena, attack))
    controls.close()
    arena.close()
    print(f"{'grader':<28}{'full marks':>12}{'harm':>8}   of {len(found)} attacks")
    for name, told in (
        ("naive", "in-process, asserts"),
        ("pytest", "plain pytest, exit code"),
        ("kata", "kata, strict"),
    ):
        print(f"{told:<28}{marks[name]:>12}{harm[name]:>8}")


if __name__ == "__main__":
    main()
