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


def of(found: list[Attack], letter: str) -> list[Attack]:
    """The attacks of one family."""
    return [attack for attack in found if attack.family == letter]


def page(text: str) -> str:
    """The page with its tables made anew."""
    for name, lines in (("calls", calls()), ("attacks", listed())):
        table = f"<!-- {name} -->\n" + "\n".join(lines) + f"\n<!-- /{name} -->"
        text = re.sub(f"<!-- {name} -->.*?<!-- /{name} -->", table.replace("\\", r"\\"), text, flags=re.DOTALL)
    return text


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
