"""kata update"""

from pathlib import Path

import click

from kata import folders, workspace
from kata.commands import options
from kata.screen.console import console
from kata.screen.folders import updated


@click.command("update")
@options.track
def command(root: Path) -> None:
    """Bring new problems and corrected statements into your workspace; your code stays as it is."""
    updated(console(), folders.update(workspace.needed(root), root))
