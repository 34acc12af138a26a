"""Options and arguments that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from kata.track import find_root

F = TypeVar("F", bound=Callable[..., Any])
Decorator = Callable[[F], F]


def _root(ctx: click.Context, parameter: click.Parameter, value: str | None) -> Path:
    return find_root(value)


track: Decorator[Any] = click.option(
    "--track", "root", metavar="DIR", callback=_root, help="A folder with problems/, solutions/ and grader/."
)
as_json: Decorator[Any] = click.option("--json", "as_json", is_flag=True, help="Print JSON to stdout and nothing else.")
seed: Decorator[Any] = click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=0, help="Seed of the drawn inputs."
)
problem: Decorator[Any] = click.argument("problem")
