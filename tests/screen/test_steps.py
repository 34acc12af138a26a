"""Commands to type next: each can be copied, whatever the width."""

import io

import pytest
from rich.console import Console

from kata.screen.steps import Steps

LONG = "kata grade 7 a/very/long/path/to/an/answer.py --track /somewhere/else/altogether"


def shown(width: int, *rows: tuple[str, str]) -> list[str]:
    file = io.StringIO()
    Console(file=file, width=width).print(Steps(*rows), crop=False)
    return [line.rstrip() for line in file.getvalue().splitlines()]


@pytest.mark.parametrize("width", [20, 40, 80, 100, 200])
def test_no_command_is_broken(width: int) -> None:
    """It has a line of its own, or shares it with what it does."""
    lines = shown(width, (LONG, "what is right, what is wrong, and why"), ("kata next", "the next one"))
    assert sum(LONG in line for line in lines) == 1
    assert " ".join(" ".join(lines).split()) == f"{LONG} what is right, what is wrong, and why kata next the next one"


def test_explanations_stand_under_each_other_where_they_fit() -> None:
    """Else each stands under its command."""
    rows = ("kata list", "all"), ("kata grade 29 mine.py", "why")
    assert shown(60, *rows) == ["    kata list              all", "    kata grade 29 mine.py  why"]
    assert shown(25, *rows) == ["    kata list", "      all", "    kata grade 29 mine.py", "      why"]
    assert shown(25, ("kata list", "")) == ["    kata list"]
