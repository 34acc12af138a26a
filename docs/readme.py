"""Makes the output of README's console blocks anew: every line `$ kata …` is run, and what it prints follows it.

Lines `$ cp …` and `$ rm …` are run too, and kept.

    python docs/readme.py            rewrites README.md
    python docs/readme.py --check    exits with 1, and shows how, if README.md would change

Commands run from the repository's root at 100 columns without colours. What differs between two machines (times, the
level of the sandbox, the last digits of a number) is no change.
"""

import difflib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)
KATA = [sys.executable, "-P", "-m", "kata"]
DROPPED = ("KATA_TRACK", "KATA_START", "FORCE_COLOR", "PYTHONWARNINGS")


def output(command: str) -> str:
    """What a command prints, as a terminal without colours shows it."""
    environment = {name: value for name, value in os.environ.items() if name not in DROPPED}
    name, *words = shlex.split(command)
    done = subprocess.run(
        [*(KATA if name == "kata" else [name]), *words],
        cwd=ROOT,
        env=environment | {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    if done.returncode not in (0, 1):
        sys.exit(f"$ {command}\n{done.stdout}ended with {done.returncode}")
    return "\n".join(line.rstrip() for line in done.stdout.splitlines()).strip("\n")


def block(old: str) -> str:
    """A console block with the output of all its commands; the old one where nothing but the times would change."""
    commands = [line[2:] for line in old.splitlines() if line.startswith(("$ kata ", "$ cp ", "$ rm "))]
    if not commands:
        return old
    new = "\n".join(f"$ {command}\n{output(command)}".rstrip("\n") + "\n" for command in commands)
    return old if steady(new) == steady(old) else new


def steady(text: str) -> str:
    """A text without what differs between two runs and two machines."""
    text = re.sub(r"\b\d+(\.\d+)? m?s\b", "… s", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+\d\d:\d\d", "…", text)
    text = re.sub(r"\b\d+(\.\d+)? a second\b", "… a second", text)
    text = re.sub(r"\b\d+(\.\d+)? a second\b", "… a second", text)
    text = re.sub(r"\bsandbox: \w+", "sandbox: …", text)
    return re.sub(r"-?\b\d+\.\d+(e[+-]?\d+)?\b", lambda found: f"{float(found[0]):.3g}", text)


def main(check: bool) -> int:
    """Rewrites README.md, or says how it would change."""
    old = README.read_text("utf-8")
    new = BLOCK.sub(lambda found: block(found[1]), old)
    if check:
        lines = difflib.unified_diff(old.splitlines(True), new.splitlines(True), "README.md", "made anew")
        sys.stdout.writelines(lines)
        return int(old != new)
    README.write_text(new, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
