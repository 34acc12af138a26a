"""The consoles, and text that can carry no markup of its own."""

import sys

from rich.console import Console
from rich.text import Text

WIDTH = 110


def console(stderr: bool = False) -> Console:
    """A console for stdout or stderr, at most WIDTH wide; colours follow NO_COLOR and whether a terminal listens."""
    made = Console(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=False)
    made.width = min(made.width, WIDTH)
    return made


def styled(*parts: str | tuple[str, str]) -> Text:
    """Text of plain and (text, style) parts."""
    return Text.assemble(*parts)


def say_error(message: str) -> None:
    """A sentence for someone who can put it right, on stderr."""
    console(stderr=True).print(styled(("kata: ", "bold red"), message))


def utf8() -> None:
    """Lets stdout and stderr print every character, whatever the locale."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
