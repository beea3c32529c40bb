"""Adds arguments that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

Run = Callable[[argparse.Namespace], int]


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
    parser.add_argument('files', nargs='+', metavar='FILE', help='- is the standard input')
