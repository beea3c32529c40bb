"""Arguments and options shared by several commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ....errors import ConfigError
from ....mujoco_resources import file_of
from .inputs import STDIN

Decorator = Callable[[Any], Any]


class ModelFile(click.Path):
    """A file; - is standard input, and package://NAME/PATH a file in a ROS package."""

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> str:
        """Returns the path of the file."""
        try:
            return file_of(value)
        except ConfigError as error:
            self.fail(str(error), param, ctx)


FILE: Decorator = click.argument('file', type=ModelFile())
FILES: Decorator = click.argument('files', nargs=-1, required=True, type=ModelFile())


def _out(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    return None if value == STDIN else value


OUTPUT: Decorator = click.option(
    '-o', 'out', metavar='OUT', type=click.Path(), callback=_out,
    help='The output file (default or -: standard output).',
)  # fmt: skip


def command(example: str) -> Decorator:
    """Returns the decorator of a command, whose help ends with an example."""

    def decorate(function: Callable[..., int]) -> click.Command:
        text = f'example: mujoco_ros_py mjcf {function.__name__} {example}'
        return click.command(function.__name__, epilog=text)(function)

    return decorate
