"""kata update"""

from pathlib import Path

import click

from kata import folders, workspace
from kata.commands import options
from kata.screen.console import console
from kata.screen.folders import updated


@click.command("update")
@options.track_in_home
def command(root: Path) -> None:
    """Bring new problems and corrected statements into your workspace; your code stays as it is."""
    updated(console(), root, folders.update(workspace.needed(root), root))
