"""Options and arguments that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from kata.track import find_root, numbers
from kata.workspace import around, remark

F = TypeVar("F", bound=Callable[..., Any])
Decorator = Callable[[F], F]


def _root(ctx: click.Context, parameter: click.Parameter, value: str | None) -> Path:
    return find_root(value)


def _told(ctx: click.Context, value: str | None, always: bool) -> Path:
    """The track; whoever is in no workspace is told which one is used, and, if `always`, that there is none."""
    root = find_root(value)
    if not ctx.resilient_parsing and (always or around(root) is not None):
        tell(remark(root))
    return root


def tell(remark: str) -> None:
    """A remark on stderr, where there is one."""
    if remark:
        from kata.screen.console import say

        say(remark, ("kata: ", "bold"))


def _any(ctx: click.Context, parameter: click.Parameter, value: str | None) -> Path:
    return _told(ctx, value, always=True)


def _in_home(ctx: click.Context, parameter: click.Parameter, value: str | None) -> Path:
    return _told(ctx, value, always=False)


def _track(callback: Callable[[click.Context, click.Parameter, str | None], Path]) -> Decorator[Any]:
    text = "A folder with problems/, solutions/ and grader/."
    return click.option("--track", "root", metavar="DIR", callback=callback, help=text)


track = _track(_root)
track_anywhere = _track(_any)  # for commands of the learner's that do something without a workspace, too
track_in_home = _track(_in_home)  # for those that need one, and say so themselves
as_json: Decorator[Any] = click.option("--json", "as_json", is_flag=True, help="Print JSON to stdout and nothing else.")
seed: Decorator[Any] = click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=0, help="Seed of the drawn inputs."
)
give_up: Decorator[Any] = click.option("--give-up", is_flag=True, help="Show it before a pass; this is recorded.")


def complete(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Numbers and names of problems that begin with what was typed."""
    stubs = numbers(ctx.params.get("root") or find_root(None))
    named = {number: stub.stem.split("_", 1)[1] for number, stub in stubs.items()}
    found = [CompletionItem(str(n), help=name) for n, name in named.items() if str(n).startswith(incomplete)]
    if incomplete:
        found += [CompletionItem(name, help=str(n)) for n, name in named.items() if name.startswith(incomplete)]
    return found


def complete_or_file(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Problems, or files where none begins with what was typed."""
    return complete(ctx, parameter, incomplete) or [CompletionItem(incomplete, type="file")]


problem: Decorator[Any] = click.argument("problem", shell_complete=complete)
