"""kata completion"""

import click
from click.shell_completion import get_completion_class

FILES = {
    "bash": 'add to ~/.bashrc:  eval "$(kata completion bash)"',
    "zsh": 'add to ~/.zshrc:  eval "$(kata completion zsh)"',
    "fish": "save as ~/.config/fish/completions/kata.fish",
}


@click.command("completion", epilog="; ".join(f"{shell}: {how}" for shell, how in FILES.items()))
@click.argument("shell", type=click.Choice([*FILES]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of SHELL: commands, options, and the numbers and names of problems."""
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(ctx.find_root().command, {}, "kata", "_KATA_COMPLETE").source())
