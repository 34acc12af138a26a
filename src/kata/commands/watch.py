"""kata watch"""

from contextlib import closing
from pathlib import Path

import click

from kata import track, watch, workspace
from kata.commands import options
from kata.screen.watch import WatchScreen


@click.command("watch")
@click.argument("problem", required=False, shell_complete=options.complete)
@options.seed
@options.track
def command(problem: str | None, seed: int, root: Path) -> int:
    """Grade PROBLEM (the next one, if none is named) again every time you save."""
    found = watch.begin(root, problem)
    options.tell(workspace.remark(root, workspace.locate(found, root)))
    with closing(WatchScreen({p.number: p for p in track.problems(root)})) as screen:
        return watch.Watch(root, found, screen, seed).follow()
