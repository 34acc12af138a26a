"""The `kata` command, and the one place where a KataError becomes a sentence."""

import ast
import difflib
import sys
from importlib import import_module
from pathlib import Path

from kata.zygote.start import leave_folder

leave_folder()  # before anything is imported that could be shadowed by a file of the learner's

import click  # noqa: E402

from kata import __version__, streams  # noqa: E402
from kata.commands import NAMES  # noqa: E402
from kata.errors import KataError  # noqa: E402
from kata.fault import here, saved  # noqa: E402

NOBODY_LISTENS, USAGE, OURS, INTERRUPTED = 1, 2, 3, 130


class Commands(click.Group):
    """Loads a command's module only when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in NAMES:
            return None
        command: click.Command = import_module(f"kata.commands.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The first sentence of every command, read without importing the commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary(name)) for name in NAMES])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it; a name that is nearly right is met with the right one."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as wrong:
            near = difflib.get_close_matches(args[0], NAMES, n=1)
            guess = f" Did you mean kata {near[0]}?" if near else ""
            raise click.UsageError(f"There is no command {args[0]!r}.{guess}", ctx) from wrong


def summary(name: str) -> str:
    """The first sentence of a command's docstring."""
    tree = ast.parse((Path(__file__).parent / "commands" / f"{name}.py").read_text("utf-8"))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    text = ast.get_docstring(functions["command"]) or ""
    return " ".join(text.split("\n\n")[0].split())


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="kata")
def cli() -> None:
    """Short PyTorch exercises on the inside of transformers, and an autograder that names the mistake."""


def main() -> None:
    """Runs a command; exits with 0 passed, 1 not passed, 2 wrong usage, 3 our own fault."""
    sys.exit(run(sys.argv[1:]))


def run(args: list[str]) -> int:
    """The exit code of a command, whatever happens in it."""
    from kata.screen.console import say_error
    from kata.screen.live import leave

    streams.ready()
    try:
        code = cli.main(args, prog_name="kata", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as wrong:
        wrong.show()
        return USAGE
    except KataError as wrong:
        say_error(str(wrong))
        return USAGE
    except (KeyboardInterrupt, click.Abort):
        leave()
        return INTERRUPTED
    except Exception as fault:
        if isinstance(fault, FileNotFoundError) and not here():
            say_error("The folder that you are in is no longer there. Go to another one (`cd`) and say it again.")
            return USAGE
        if not streams.lost(fault):
            say_error(saved(fault))
            return OURS
        if isinstance(fault, BrokenPipeError):
            return NOBODY_LISTENS
        say_error(f"What there is to print can't be written: {fault}. Make room, or print to another place.")
        return USAGE


if __name__ == "__main__":
    main()
