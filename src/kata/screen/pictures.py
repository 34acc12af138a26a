"""An error map on the screen: coloured blocks where colours are shown, the same shades in characters elsewhere."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

KEY = {"·": "right", "░": "under 1 % off", "▒": "under 10 %", "▓": "under 50 %", "█": "more"}
COLOURS = {  # every block keeps its own shade, so that nothing is said by colour alone
    "·": "color(65) on color(194)",
    "░": "color(136) on color(229)",
    "▒": "color(130) on color(215)",
    "▓": "color(88) on color(203)",
    "█": "color(124)",
}
ASCII = str.maketrans("".join(KEY), ".-+x#")


class ErrorMap(Struct, frozen=True):
    """Rows of shades, as `kata.picture` makes them, for a tensor of this shape with these last two axes."""

    rows: list[str]
    shape: list[int]
    axes: list[str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        coloured = console.color_system is not None and not console.no_color
        labels = [str(start) for start in starts(self.shape[-2], len(self.rows))]
        margin = max(map(len, labels)) + 1
        cells = len(self.rows[0])
        if margin + cells > options.max_width:
            yield Text(f"(its map needs {margin + cells} columns here)", "dim")
            return
        wide = 2 if coloured and margin + 2 * cells <= options.max_width else 1
        for label, row in zip(labels, self.rows, strict=True):
            yield _line(label.rjust(margin - 1), row, wide, coloured, options.ascii_only)
        yield Text(self._reading(cells), "dim")
        yield _key("".join(self.rows), coloured, options.ascii_only)

    def _reading(self, cells: int) -> str:
        """What rows and columns stand for."""
        rows, columns = (f"{name} 0–{size - 1}" for name, size in zip(self.axes, self.shape[-2:], strict=True))
        pooled = " (several to a block)" if (len(self.rows), cells) != tuple(self.shape[-2:]) else ""
        return f"down: {rows}, across: {columns}{pooled}"


def error_map(evidence: dict[str, Any]) -> ErrorMap:
    """The map that a finding's evidence holds."""
    shape = evidence.get("shape", [])
    axes = evidence.get("axes") or [f"axis {len(shape) - 2}", f"axis {len(shape) - 1}"]
    return ErrorMap([str(row) for row in evidence["map"]], shape, axes)


def starts(size: int, parts: int) -> Iterator[int]:
    """The first index of each part of an axis, the first ones being longer by one where it doesn't come out even."""
    least, longer = divmod(size, parts)
    for part in range(parts):
        yield part * least + min(part, longer)


def _line(label: str, row: str, wide: int, coloured: bool, ascii_only: bool) -> Text:
    text = Text.assemble((f"{label} ", "dim"), no_wrap=True)
    for shade in row:
        text.append(*_block(shade, wide, coloured, ascii_only))
    return text


def _key(shades: str, coloured: bool, ascii_only: bool) -> Text:
    text = Text()
    for shade, meaning in KEY.items():
        if shade in shades:
            text.append(*_block(shade, 1 + coloured, coloured, ascii_only))
            text.append(f" {meaning}   ")
    text.rstrip()
    return text


def _block(shade: str, wide: int, coloured: bool, ascii_only: bool) -> tuple[str, str]:
    """The characters of a block and their style."""
    return (shade.translate(ASCII) if ascii_only else shade) * wide, COLOURS[shade] if coloured else ""
