"""kata hint"""

from pathlib import Path

import click

from kata import answers, hints, track, workspace
from kata.commands import options
from kata.screen import learning
from kata.screen.console import console


@click.command("hint")
@options.problem
@click.option("--again", is_flag=True, help="Show all hints that you have seen.")
@options.track_in_home
def command(problem: str, again: bool, root: Path) -> None:
    """Give one more step of help with PROBLEM, chosen by what your last try showed."""
    found, home = track.find(root, problem), workspace.needed(root)
    if again:
        learning.hints(console(), found, hints.again(home, found))
    else:
        learning.hint(console(), found, hints.another(home, found), answers.is_open(home, found))
