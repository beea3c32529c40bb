"""The command `completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command(epilog='In ~/.bashrc or ~/.zshrc: eval "$(mujoco_ros_py completion bash)"')
@click.argument('shell', type=click.Choice(['bash', 'zsh', 'fish']))
def completion(shell: str) -> None:
    """Print a script with which the shell completes commands, options and files."""
    from .command_tree import PROGRAM, tree

    kind = get_completion_class(shell)
    assert kind is not None, 'click has a class for each of the choices'
    click.echo(kind(tree, {}, PROGRAM, f'_{PROGRAM}_complete'.upper()).source())
