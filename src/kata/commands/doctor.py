"""kata doctor"""

from pathlib import Path

import click

from kata.commands import options
from kata.doctor import examine
from kata.screen import tables
from kata.screen.console import console


@click.command("doctor")
@options.track
def command(root: Path) -> int:
    """Say what this machine can do, and why."""
    facts = list(examine(root))
    tables.facts(console(), facts)
    return 0 if all(fact.good for fact in facts) else 1
