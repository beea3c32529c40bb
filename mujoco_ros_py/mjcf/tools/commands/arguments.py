"""Adds arguments that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from ....errors import ConfigError
from ....mujoco_resources import file_of

Run = Callable[[argparse.Namespace], int]


def _file(name: str) -> str:
    try:
        return file_of(name)
    except ConfigError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


FILE: dict[str, Any] = {
    'metavar': 'FILE', 'type': _file,
    'help': '- is the standard input; package://NAME/PATH is a file of a ROS package',
}  # fmt: skip
"""How `add_argument` is told of a file."""


def add_command(
    commands: Any, name: str, run: Run, *, title: str, description: str, example: str
) -> argparse.ArgumentParser:
    """Adds a command, to whose parser the command's own arguments are still to be added."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=title,
        description=description,
        epilog=f'example: mujoco_ros_py mjcf {name} {example}',
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def add_files(parser: argparse.ArgumentParser) -> None:
    """Adds the argument that takes one or more files."""
    parser.add_argument('files', nargs='+', **FILE)
