"""The consoles, and text that can carry no markup of its own."""

import re
import textwrap

from rich.console import Console
from rich.text import Text

from kata.streams import silence
from kata.words import harmless

WIDTH = 110
COMMAND = re.compile(r"`[^`\n]+`|(?<=: )kata [^.;,`\n]+")  # in a sentence
TIED = "\u00a0"  # a blank at which no line ends


def console(stderr: bool = False) -> Console:
    """A console for stdout or stderr, at most WIDTH wide; colours follow NO_COLOR and whether a terminal listens."""
    made = Console(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=False)
    made.width = min(made.width, WIDTH)
    return made


def styled(*parts: str | tuple[str, str]) -> Text:
    """Text of plain and (text, style) parts."""
    return Text.assemble(*parts)


def sentence(text: str, console: Console, indent: int = 0) -> Text:
    """A sentence whose lines end between words, and never inside a command; as it is where no terminal listens."""
    if console.is_terminal:
        tied = COMMAND.sub(lambda command: command[0].replace(" ", TIED), text)
        fold = textwrap.TextWrapper(console.width - indent, break_long_words=False, break_on_hyphens=False)
        text = "\n".join(fold.fill(line) for line in tied.split("\n")).replace(TIED, " ")
    told = Text(text)
    told.highlight_regex(COMMAND, "cyan")
    return told


def say(message: str, before: tuple[str, str] = ("", "")) -> None:
    """A sentence on stderr."""
    try:
        listener = console(stderr=True)
        told = sentence(before[0] + harmless(message), listener)
        told.stylize(before[1], 0, len(before[0]))
        listener.print(told, soft_wrap=True)
    except OSError:  # there is no better place to say so
        silence(2)


def say_error(message: str) -> None:
    """A sentence for someone who can put it right, on stderr."""
    say(message, ("kata: ", "bold red"))
