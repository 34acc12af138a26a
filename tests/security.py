"""Writes the tables of SECURITY.md from what the sandbox and the attacks are: python tests/security.py."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from kata.zygote.syscalls import GROUPS  # noqa: E402  # the script may be run from anywhere
from tests.attacks.suite import Attack, attacks  # noqa: E402

PAGE = ROOT / "SECURITY.md"
FAMILIES = {
    "a": "exit and control flow",
    "b": "forging or overwriting the result",
    "c": "patching torch, Python or the grader",
    "d": "objects that lie",
    "e": "reading secrets",
    "f": "files beside the answer",
    "g": "escape into other processes",
    "h": "resources",
    "j": "what is shown",
}
CATALOGUE = (  # the numbers of a catalogue of what was tried on public graders; the files of tests/attacks keep them
    *(
        *range(1, 13),
        14,
        16,
        17,
        *range(19, 29),
        *range(30, 37),
        *range(38, 42),
        *range(44, 49),
        *range(50, 55),
        56,
        57,
    ),
    *(*range(60, 66), 67, 68, 71, 75, *range(77, 82), 83, 84, 86, *range(88, 93), *range(94, 99), *range(100, 105)),
)
ELSEWHERE = {  # those that no answer can carry out alone, and what tries them
    (61,): (
        "another's result or the gradebook is rewritten",
        "nothing can be written (b11, b62, h53); classroom/test_example.py",
    ),
    (81,): ("an oracle of many submissions", "two submissions in a row, in test_attacks.py"),
    (89, 90): ("what a notebook's cells and metadata say beside code", "test_notebook.py, classroom/test_collect.py"),
    (91, 92): ("results and records that the grader unpickles", "nothing is ever unpickled (g46, g_wire_function)"),
    (100, 101, 102): ("archives that lead out, bombs, links and pipes", "classroom/test_archive.py, test_entries.py"),
    (103,): ("formulas in tables of marks", "export/test_neutral.py, export/test_table.py"),
}
VERDICTS = {"allow": "allowed", "part": "allowed in part", "unknown": "said not to exist", "kill": "end the process"}


def calls() -> Iterator[str]:
    """The groups of system calls as a table."""
    yield from ("| system calls | verdict | why |", "| --- | --- | --- |")
    for group in GROUPS:
        names = ", ".join(f"`{name}`" for name in group.calls.split())
        yield f"| {names} | {VERDICTS[group.verdict]} | {group.reason} |"


def listed() -> Iterator[str]:
    """The attacks by family, with how many there are and how they end here."""
    yield from ("| family | catalogued | fresh | end here as |", "| --- | --- | --- | --- |")
    known, fresh = list(attacks("catalogue")), list(attacks("fresh"))
    for letter, name in FAMILIES.items():
        mine = of(known, letter) + of(fresh, letter)
        ends = ", ".join(sorted({attack.ends for attack in mine}))
        yield f"| {name} | {len(of(known, letter))} | {len(of(fresh, letter))} | {ends} |"
    yield f"| **all** | **{len(known)}** | **{len(fresh)}** | 0 marks, 0 effects |"


def elsewhere() -> Iterator[str]:
    """What of the catalogue is no attack of an answer on its grader, and where it is tried instead."""
    yield from ("| number | attack | tried in |", "| --- | --- | --- |")
    for numbers, (what, where) in ELSEWHERE.items():
        yield f"| {', '.join(map(str, numbers))} | {what} | {where} |"


def of(found: list[Attack], letter: str) -> list[Attack]:
    """The attacks of one family."""
    return [attack for attack in found if attack.family == letter]


def page(text: str) -> str:
    """The page with its tables made anew."""
    for name, lines in (("calls", calls()), ("attacks", listed()), ("elsewhere", elsewhere())):
        table = f"<!-- {name} -->\n" + "\n".join(lines) + f"\n<!-- /{name} -->"
        text = re.sub(f"<!-- {name} -->.*?<!-- /{name} -->", table.replace("\\", r"\\"), text, flags=re.DOTALL)
    return text


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
