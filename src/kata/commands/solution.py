"""kata solution"""

from pathlib import Path

import click

from kata import answers, track, workspace
from kata.commands import options
from kata.screen import learning
from kata.screen.console import console


@click.command("solution")
@options.problem
@options.give_up
@options.track_in_home
def command(problem: str, give_up: bool, root: Path) -> None:
    """Show the worked answer to PROBLEM, once you have passed it (or given up)."""
    found = track.find(root, problem)
    learning.solution(console(), found, answers.opened(workspace.around(root), found, give_up))
