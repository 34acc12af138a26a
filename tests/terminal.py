"""A real terminal for tests: a program on a pty, and what a person would see on its screen."""

import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import pexpect
import pyte

GOLDEN = Path(__file__).with_name("golden_day")
VARYING = ((r"\d+\.\d s\b", "N.N s"), (r"sandbox: \w+", "sandbox: LEVEL"))


class Terminal:
    """A program that believes in a terminal of 40 lines and 100 columns."""

    def __init__(self, command: list[str], cwd: Path, env: dict[str, str], lines: int = 40, columns: int = 100) -> None:
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)
        self.raw = b""
        size = {"dimensions": (lines, columns), "timeout": 60}
        env = {name: value for name, value in env.items() if name not in ("COLUMNS", "LINES")}
        self.process = pexpect.spawn(command[0], command[1:], cwd=str(cwd), env=env, **size)
        self.process.delaybeforesend = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.process.close(force=True)

    def send(self, text: str) -> None:
        """Types a text."""
        self.process.send(text)

    def text(self) -> str:
        """What the screen shows, without blank ends of lines and blank lines at the end."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    def wait(self, condition: Callable[[str], bool], seconds: float = 60.0) -> str:
        """Reads until the screen fulfils a condition; what it shows then."""
        until = time.monotonic() + seconds
        while not condition(self.text()):
            assert time.monotonic() < until, f"after {seconds} s the screen shows:\n{self.text()}"
            try:
                data = self.process.read_nonblocking(4096, timeout=0.05)
                self.raw += data
                self._stream.feed(data)
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                assert condition(self.text()), f"the program has ended, and the screen shows:\n{self.text()}"
        return self.text()

    def shows(self, words: str, seconds: float = 60.0) -> str:
        """Reads until the screen shows these words."""
        return self.wait(lambda text: words in text, seconds)

    def ended(self) -> int:
        """Reads until the program has ended; its exit code."""
        self.wait(lambda text: not self.process.isalive())
        self.process.close()
        code = self.process.exitstatus
        return -int(self.process.signalstatus) if code is None else int(code)


def agrees(name: str, text: str) -> None:
    """Compares a screen with the one that was reviewed; KATA_GOLDEN=write puts it in its place."""
    for pattern, replacement in VARYING:
        text = re.sub(pattern, replacement, text)
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("KATA_GOLDEN") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(text + "\n", "utf-8")
    assert text + "\n" == file.read_text("utf-8"), f"{file} and the screen differ; the screen:\n{text}"
