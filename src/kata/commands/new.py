"""kata new"""

from pathlib import Path

import click

from kata.new import MARK, create
from kata.screen.console import console
from kata.track import default_root


@click.command("new")
@click.argument("number", type=click.IntRange(0, 999))
@click.argument("slug")
@click.option("--track", "folder", type=click.Path(file_okay=False, path_type=Path), help="A track; made if it is new.")
def command(number: int, slug: str, folder: Path | None) -> None:
    """Begin problem NUMBER, called SLUG: three files that verify as they stand."""
    paths = create(folder or default_root(), number, slug)
    console().print(f"Written, with a {MARK} wherever you have something to say:")
    for path in paths:
        console().print(f"  {path}")
    track = f" --track {folder}" if folder else ""
    console().print(f"Try it: kata verify {number}{track}")
