"""The last line of a terminal, which says what is under way and leaves no trace."""

import sys

from rich.console import Console
from rich.text import Text

ERASE_LINE = "\r\x1b[2K"


def leave() -> None:
    """Frees the line that an interrupted command was writing on."""
    if sys.stdout.isatty():
        sys.stdout.write(ERASE_LINE)
        sys.stdout.flush()


class LiveLine:
    """Shows one line at a time, where a terminal listens; whoever prints clears it first."""

    def __init__(self, console: Console) -> None:
        self._console, self._shown = console, False

    def show(self, text: Text) -> None:
        """Puts a text at the bottom, cut to the width."""
        self.clear()
        if self._console.is_terminal and not self._console.is_dumb_terminal:
            text.truncate(self._console.width - 1)
            self._console.print(text, end="")
            self._console.file.flush()
            self._shown = True

    def clear(self) -> None:
        """Takes it away."""
        if self._shown:
            self._console.file.write(ERASE_LINE)
            self._console.file.flush()
            self._shown = False
