"""The last line of a terminal, which says what is under way and for how long, and leaves no trace."""

import sys
import time
from collections.abc import Callable
from threading import Lock, Thread

from rich.console import Console
from rich.text import Text

from kata import texts
from kata.errors import KataError
from kata.model import Problem
from kata.screen.console import styled

ERASE_LINE = "\r\x1b[2K"
FREE = 3  # columns that stay free at the end, since a terminal shows Ctrl-C as ^C and would begin another line
EVERY = 1.0  # seconds after which a line is drawn anew
Said = Text | Callable[[float], Text]  # a line, or what makes it of the seconds for which it has been shown


def leave() -> None:
    """Frees the line that an interrupted command was writing on."""
    if sys.stdout.isatty():
        sys.stdout.write(ERASE_LINE)
        sys.stdout.flush()


class LiveLine:
    """Shows one line at a time, where a terminal listens; whoever prints clears it first."""

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        self._console, self._clock = console, clock
        self._lock = Lock()
        self._said: Said | None = None
        self._since = 0.0
        self._ticking = False

    def show(self, said: Said) -> None:
        """Puts a line at the bottom, cut to the width."""
        self.clear()
        if not self._console.is_terminal or self._console.is_dumb_terminal:
            return
        with self._lock:
            self._said, self._since = said, self._clock()
            self._draw(said)
        if callable(said) and not self._ticking:
            self._ticking = True
            Thread(target=self._tick, name="kata live line", daemon=True).start()

    def _tick(self) -> None:
        while True:
            time.sleep(EVERY)
            self.redraw()

    def redraw(self) -> None:
        """Draws a line that tells the time anew."""
        with self._lock:
            if callable(said := self._said):
                self._console.file.write(ERASE_LINE)
                self._draw(said)

    def _draw(self, said: Said) -> None:
        text = said(self._clock() - self._since) if callable(said) else said
        text.truncate(self._console.width - FREE)
        self._console.print(text, end="")
        self._console.file.flush()

    def clear(self) -> None:
        """Takes it away."""
        with self._lock:
            if self._said is not None:
                self._console.file.write(ERASE_LINE)
                self._console.file.flush()
                self._said = None


class Running:
    """A submission on the live line: which check runs, since when, and how long a call may take."""

    def __init__(self, live: LiveLine, problem: Problem) -> None:
        self._live, self._problem, self._done = live, problem, 0

    def starting(self) -> None:
        """Nothing is judged yet."""
        self._live.show(lambda seconds: _dim(f"PyTorch is being started …{_took(seconds)}"))

    def judging(self) -> None:
        """The next check has begun."""
        self._live.show(self._line)

    def found(self) -> None:
        """A check is done."""
        self._done += 1
        self.judging()

    def _line(self, seconds: float) -> Text:
        if seconds < EVERY:
            return _dim("judging …")
        names = self._names()
        if self._done >= len(names):
            return _dim(f"looking for the mistake behind it …{_took(seconds)}")
        most = self._problem.limits.cpu_seconds
        which = f"check {self._done + 1} of {len(names)}, {names[self._done]}"
        return _dim(f"{which}:{_took(seconds)}; stopped after {most:g} s of computing, or by Ctrl-C")

    def _names(self) -> list[str]:
        try:
            return list(texts.checks(self._problem))
        except KataError:
            return []


def _took(seconds: float) -> str:
    return f" {seconds:.0f} s" if seconds >= EVERY else ""


def _dim(text: str) -> Text:
    return styled((f"  {text}", "dim"))
