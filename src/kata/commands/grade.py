"""kata grade"""

from pathlib import Path

import click

from kata import grading
from kata.commands import options
from kata.export.junit import junit as as_junit
from kata.files import write


@click.command("grade")
@click.argument("words", nargs=-1, metavar="PROBLEM... [FILE]", shell_complete=options.complete_or_file)
@click.option("--all", "every", is_flag=True, help="Grade every problem of the workspace.")
@options.as_json
@click.option("--junit", type=click.Path(dir_okay=False), metavar="FILE", help="Write a JUnit XML report as well.")
@click.option("--only", multiple=True, metavar="CHECK", help="Run only this check (may be repeated); never passes.")
@options.seed
@options.track
def command(
    words: tuple[str, ...],
    every: bool,
    as_json: bool,
    junit: str | None,
    only: tuple[str, ...],
    seed: int,
    root: Path,
) -> int:
    """Grade your answer to PROBLEM (a number or a name), or to several; FILE names another than the workspace's."""
    tasks = grading.tasks(root, words, every, only, seed)
    options.tell(grading.remark(root, tasks))
    reports = grading.run(tasks, as_json, every)
    if junit:
        write(Path(junit), as_junit(reports))
    return grading.exit_code(reports)
