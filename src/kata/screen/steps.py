"""Commands to type next, each on a line of its own that nothing breaks, so that it can be copied."""

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

COLUMN = 17  # what a short command takes at least, so that explanations stand under each other


class Steps:
    """Rows of a command and what it does; where that doesn't fit into a line, it comes under the command.

    It must be printed with `crop=False`, or a command that is longer than the terminal is wide loses its end.
    """

    def __init__(self, *rows: tuple[str, str], indent: int = 4) -> None:
        self._rows, self._indent = rows, indent

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        margin = " " * self._indent
        short = [len(command) for command, _ in self._rows if len(command) <= options.max_width // 2]
        column = max([COLUMN, *short])
        for command, what in self._rows:
            fits = len(margin) + max(column, len(command)) + 2 + len(what) <= options.max_width
            told = Text.assemble(margin, (command, "cyan"), no_wrap=True, overflow="ignore", end="\n")
            if what and fits:
                told.append(f"{' ' * (column - len(command))}  {what}")
            yield told
            if what and not fits:
                for line in Text(what).wrap(console, max(10, options.max_width - len(margin) - 2)):
                    yield Text.assemble(f"{margin}  ", line)
