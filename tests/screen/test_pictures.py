"""An error map in every kind of terminal: with colours, without, narrow, and where nothing but ASCII can be shown."""

import io
import re

import pytest
from rich.console import Console

from kata.screen.pictures import COLOURS, KEY, ErrorMap, error_map, starts

MAP = ErrorMap(["·░", "▒▓", "██"], [2, 3, 2], ["position", "pair"])
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Plain(io.StringIO):
    """A stream that can show ASCII alone."""

    encoding = "ascii"


def shown(picture: ErrorMap, width: int = 60, file: io.StringIO | None = None, **kind: object) -> list[str]:
    file = file or io.StringIO()
    Console(file=file, width=width, **kind).print(picture)  # type: ignore[arg-type]
    return [line.rstrip() for line in file.getvalue().rstrip("\n").split("\n")]


PLAIN = [
    "0 ·░",
    "1 ▒▓",
    "2 ██",
    "down: position 0–2, across: pair 0–1",
    "· right   ░ under 1 % off   ▒ under 10 %   ▓ under 50 %   █ more",
]


def test_without_a_terminal_or_colours_it_is_characters() -> None:
    assert shown(MAP, 70) == PLAIN
    assert [COLOUR.sub("", line) for line in shown(MAP, 70, force_terminal=True, no_color=True)] == PLAIN
    assert not any("[38" in line or "[48" in line for line in shown(MAP, force_terminal=True, no_color=True))


def test_in_colours_every_block_has_its_own_and_keeps_its_shade() -> None:
    lines = shown(MAP, 90, force_terminal=True, color_system="256")
    bare = [COLOUR.sub("", line) for line in lines]
    assert bare[:3] == ["0 ··░░", "1 ▒▒▓▓", "2 ████"]
    assert bare[4] == "·· right   ░░ under 1 % off   ▒▒ under 10 %   ▓▓ under 50 %   ██ more"
    assert len(set(COLOURS.values())) == len(KEY)
    drawn = {shade: re.findall(rf"(\x1b\[[0-9;]*m){shade}{shade}", "".join(lines)) for shade in KEY}
    assert all(len(set(codes)) == 1 and "\x1b[2" not in codes[0] for codes in drawn.values())  # never dimmed
    assert len({codes[0] for codes in drawn.values()}) == len(KEY)


def test_the_key_tells_only_what_is_there() -> None:
    assert shown(ErrorMap(["·█"], [1, 2], ["a", "b"]))[-1] == "· right   █ more"


def test_it_gets_narrower_and_gives_up_before_it_would_be_broken() -> None:
    wide = ErrorMap(["·█" * 16] * 2, [2, 32], ["a", "b"])

    def first(width: int) -> str:
        return COLOUR.sub("", shown(wide, width, force_terminal=True, color_system="256")[0])

    rows = {width: first(width) for width in (66, 65, 34, 33)}
    assert rows[66] == "0 " + "··██" * 16
    assert rows[65] == rows[34] == "0 " + "·█" * 16
    assert rows[33] == "(its map needs 34 columns here)"


def test_where_only_ascii_can_be_shown() -> None:
    assert shown(MAP, 70, Plain())[:3] == ["0 .-", "1 +x", "2 ##"]


@pytest.mark.parametrize(
    ("size", "parts", "first"), [(3, 3, [0, 1, 2]), (300, 16, [0, 19, 38]), (17, 16, [0, 2, 3]), (7, 2, [0, 4])]
)
def test_where_the_parts_of_an_axis_start(size: int, parts: int, first: list[int]) -> None:
    """As torch.tensor_split cuts it."""
    found = list(starts(size, parts))
    assert found[: len(first)] == first and len(found) == parts
    torch = pytest.importorskip("torch")
    assert found == [int(part[0]) for part in torch.arange(size).tensor_split(parts)]


def test_from_evidence() -> None:
    evidence = {"map": ["·█"] * 16, "shape": [2, 300, 2]}
    assert error_map(evidence) == ErrorMap(["·█"] * 16, [2, 300, 2], ["axis 1", "axis 2"])
    assert error_map(evidence | {"axes": ["position", "pair"]}).axes == ["position", "pair"]
    lines = shown(error_map(evidence))
    assert lines[0] == "  0 ·█" and lines[1] == " 19 ·█" and lines[15] == "282 ·█"
    assert lines[16] == "down: axis 1 0–299, across: axis 2 0–1 (several to a block)"
