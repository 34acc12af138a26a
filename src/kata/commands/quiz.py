"""kata quiz"""

from pathlib import Path

import click

from kata import quiz, track, workspace
from kata.commands import options
from kata.screen.console import console
from kata.screen.learning import Quiz


@click.command("quiz")
@options.problem
@click.option("--seed", type=click.IntRange(0), help="Seed of the order; without one, every quiz has another.")
@options.track_anywhere
def command(problem: str, seed: int | None, root: Path) -> None:
    """Ask a few questions about PROBLEM; the best score is kept."""
    found, home = track.find(root, problem), workspace.around(root)
    chosen = quiz.seed_of(found, home, seed)
    questions, screen = quiz.shuffled(found, chosen), Quiz(console(), found, chosen)
    right = quiz.take(found, questions, screen.ask, home)
    screen.done(right, len(questions), quiz.best(found, home))
