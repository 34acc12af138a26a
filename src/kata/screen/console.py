"""The consoles, and text that can carry no markup of its own."""

from rich.console import Console
from rich.text import Text

from kata.streams import silence
from kata.words import harmless

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
    try:
        console(stderr=True).print(styled(("kata: ", "bold red"), harmless(message)), soft_wrap=True)
    except OSError:  # there is no better place to say so
        silence(2)
