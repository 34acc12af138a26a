"""kata verify"""

from pathlib import Path

import click

from kata import track
from kata.commands import options
from kata.screen import tables
from kata.screen.console import console
from kata.zygote.events import Row
from kata.zygote.launch import Engine


@click.command("verify")
@click.argument("problems", nargs=-1)
@click.option("--seeds", type=click.IntRange(1), default=3, help="How many seeds the right answers must pass.")
@click.option("--record", is_flag=True, help="Keep what the files of wrong answers earn; VERSION is held against it.")
@options.track
def command(problems: tuple[str, ...], seeds: int, record: bool, root: Path) -> int:
    """Prove the graders of PROBLEMS (all, if none is named): what is right passes, what is wrong is named."""
    failed = 0
    with Engine() as engine:
        for problem in [track.find(root, word) for word in problems or map(str, track.numbers(root))]:
            console().print(f"{problem.number} · {problem.title}")
            for row in engine.verify(str(root), problem.number, seeds, record):
                if isinstance(row, Row):
                    tables.row(console(), row)
                    failed += not row.ok
    console().print(f"{failed} of the claims do not hold" if failed else "Every claim holds.")
    return 1 if failed else 0
