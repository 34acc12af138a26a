"""The attacks as data, and what both sides make of them: graders as they are often written, and ours."""

import json
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from kata.model import Job, Report, Submission
from kata.report import OWN_WORK
from kata.zygote.launch import Seat

HERE = Path(__file__).resolve().parent
TRACK = HERE / "track"
GRADER = TRACK / "grader" / "01_unit_rows.py"
HONEST = TRACK / "solutions" / "01_unit_rows.py"
ZEROS = b"import torch\n\ndef unit_rows(x, scale=1.0):\n    return torch.zeros_like(x)\n"
SECRET = "planted-in-the-environment-4c1d"
PLANTED = "only-the-judge-knows-7b1f"
NESTED = "(" * 30_000 + ")" * 30_000
DEADLINE = 20.0  # seconds for a submission of the attacked track, whose limits are short


class Attack(Struct, frozen=True):
    """A hostile submission, what it does to which common grader, and how it ends with ours."""

    name: str
    files: dict[str, str]  # answer.py and what lies beside it
    control: str
    effect: str
    ends: str

    @property
    def family(self) -> str:
        """The letter of its family in the catalogue of attacks."""
        return self.name[0]


def attacks(folder: str) -> Iterator[Attack]:
    """The attacks of a folder, in order."""
    for path in sorted((HERE / folder).glob("[a-z]*")):
        files = {f.relative_to(path).as_posix(): f for f in path.rglob("*") if f.is_file()} if path.is_dir() else {}
        texts = {name: file.read_text("utf-8") for name, file in (files or {"answer.py": path}).items()}
        head = texts["answer.py"].split('"""')[1]
        told = dict(re.findall(r"^(beats|ends): (.+)$", head, re.MULTILINE))
        control, effect = told["beats"].split()
        yield Attack(path.stem, texts, control, effect, told["ends"])


class Arena:
    """What attacks aim at: a file that must not appear, a port that must not be called, a process that must live.

    Each side of each attack has a file and a process of its own, since several are tried at once.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="arena-")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._victims: dict[str, subprocess.Popen[bytes]] = {}  # by the mark of the attack

    def filled(self, attack: Attack, side: str) -> dict[str, str]:
        """The files of an attack with its targets named."""
        names = {
            "@MARK@": self.mark(attack, side),
            "@PORT@": str(self._listener.getsockname()[1]),
            "@VICTIM@": self._victim(attack, side),
            "@GRADER@": str(GRADER),
            "@ROOT@": str(TRACK),
            "@NESTED@": NESTED,
        }
        return {
            file: re.sub("@[A-Z]+@", lambda found: names.get(found[0], found[0]), text)
            for file, text in attack.files.items()
        }

    def mark(self, attack: Attack, side: str) -> str:
        """The file that an attack makes when it gets out."""
        return f"{self._folder.name}/{side}-{attack.name}"

    def _victim(self, attack: Attack, side: str) -> str:
        """The pid of a bystander, started for an attack that aims at one."""
        if not any("@VICTIM@" in text for text in attack.files.values()):
            return ""
        victim = subprocess.Popen(["sleep", "3600"])
        self._victims[self.mark(attack, side)] = victim
        return str(victim.pid)

    def victim_lives(self, attack: Attack, side: str) -> bool:
        """Whether the bystander of an attack, where it has one, still runs; it is needed no longer."""
        victim = self._victims.pop(self.mark(attack, side), None)
        if victim is None:
            return True
        lives = victim.poll() is None
        victim.kill()
        victim.wait()
        return lives

    def close(self) -> None:
        """Ends the bystanders and removes the folder."""
        for victim in self._victims.values():
            victim.kill()
            victim.wait()
        self._listener.close()
        self._folder.cleanup()


class Controls:
    """The common graders, in a process that has imported torch once."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        source = [str(folder) for folder in sys.path if folder]
        self._process = subprocess.Popen(
            [sys.executable, "-B", str(HERE / "naive.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"KATA_TEST_SECRET": SECRET, "PYTHONPATH": os.pathsep.join(source)},
            cwd="/",
            text=True,
        )

    def outcome(self, attack: Attack, control: str = "") -> dict[str, Any]:
        """What an attack achieves against its control (or another one)."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        order = {
            "files": self._arena.filled(attack, "control"),
            "control": control or attack.control,
            "mark": self._arena.mark(attack, "control"),
            "patience": 1.5 if attack.effect == "hang" else 60.0,
        }
        print(json.dumps(order), file=self._process.stdin, flush=True)
        told: dict[str, Any] = json.loads(self._process.stdout.readline())
        told["escape"] = not self._arena.victim_lives(attack, "control")
        return told

    def close(self) -> None:
        """Ends the graders."""
        self._process.kill()
        self._process.communicate()


def job(source: bytes, name: str) -> Job:
    """A submission to the attacked problem, with a seed that nobody knows."""
    return Job(str(TRACK), 1, Submission(f"{name}.py", source), seed=secrets.randbits(31))


def ours(seat: Seat, arena: Arena, attack: Attack) -> tuple[Report, float]:
    """Our report of an attack, and how long it took."""
    start = time.monotonic()
    report = seat.report(job(arena.filled(attack, "ours")["answer.py"].encode(), attack.name))
    return report, time.monotonic() - start


def ending(report: Report) -> str:
    """How a submission ended: the error that kept it from being judged, a shortcut, else the verdict on its values."""
    if report.error is not None:
        return report.error.kind
    verdicts = {finding.check: finding.verdict for finding in report.findings}
    return "shortcut" if verdicts["values"] == "passed" and verdicts[OWN_WORK] == "failed" else verdicts["values"]


def faults(report: Report, seconds: float, arena: Arena, attack: Attack) -> Iterator[str]:
    """Everything that an attack must not have achieved and did."""
    text = msgspec.json.encode(report).decode()
    if report.passed or report.score:
        yield f"a mark of {report.score}"
    if "LEAK:" in text or SECRET in text or PLANTED in text:
        yield "a leak"
    if Path(arena.mark(attack, "ours")).exists():
        yield "a file outside"
    if not arena.victim_lives(attack, "ours"):
        yield "another process killed"
    if seconds > DEADLINE:
        yield f"{seconds:.1f} seconds"
    if len(text) > 200_000:
        yield f"a report of {len(text):,} bytes"
    if bad := [c for value in strings(msgspec.to_builtins(report)) for c in value if not harmless(c)]:
        yield f"raw characters {bad[:5]}"


def harmless(character: str) -> bool:
    """Whether a character may be printed as it is."""
    return character in "\n\t" or unicodedata.category(character)[0] != "C"


def strings(value: Any) -> Iterator[str]:
    """Every string in a tree."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from (*strings(key), *strings(item))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from strings(item)


@contextmanager
def planted() -> Iterator[None]:
    """The environment holds a secret while the processes start that must not get it."""
    os.environ["KATA_TEST_SECRET"] = SECRET
    try:
        yield
    finally:
        del os.environ["KATA_TEST_SECRET"]
