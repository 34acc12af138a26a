"""kata lab"""

from pathlib import Path

import click
import msgspec

from kata.commands import options
from kata.export.png import png
from kata.files import write
from kata.lab.experiment import extrapolation
from kata.screen import lab as screen
from kata.screen.console import console


@click.command("lab")
@click.argument("experiment", type=click.Choice(["extrapolation"]))
@options.as_json
@click.option(
    "--png", "picture", type=click.Path(dir_okay=False, path_type=Path), help="Write the curves as a picture."
)
@click.option("--steps", type=click.IntRange(10, 5000), default=500, help="Training steps of each model.")
@options.track
def command(experiment: str, as_json: bool, picture: Path | None, steps: int, root: Path) -> None:
    """Train tiny models and see: which position encodings work beyond the trained length?"""
    with screen.LabScreen(console(stderr=as_json)) as shown:
        told = extrapolation(root, steps, shown.watch)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(told), indent=2))
    else:
        screen.result(console(), told)
    if picture:
        write(picture, png(told))
