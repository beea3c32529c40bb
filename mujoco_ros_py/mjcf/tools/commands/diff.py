"""The command `diff`, which prints the differences of two models."""

from __future__ import annotations

import argparse
from typing import Any

from ....errors import MjcfError
from ...compare.difference import Difference
from ...compare.difference_search import diff
from .arguments import FILE, add_command
from .inputs import open_input, place
from .outputs import fail

_DESCRIPTION = """\
Prints the differences of the second model from the first, a line for each. Layout,
comments, includes and the format of numbers do not count. Elements are matched by name, others by
what they have in common. Meshes and other files are compared by name and content.

Exit status: 0 they say the same; 1 they differ; 2 one cannot be read."""


def add_to(commands: Any) -> None:
    """Adds the parser of the command."""
    parser = add_command(
        commands,
        'diff',
        run,
        title='print the differences between two models',
        description=_DESCRIPTION,
        example='old.xml new.xml',
    )
    parser.add_argument('files', nargs=2, **FILE)


def run(args: argparse.Namespace) -> int:
    """Compares two files, and returns the exit status."""
    models = []
    for file in args.files:
        try:
            models.append(open_input(file).model())
        except (OSError, MjcfError) as error:
            return fail(file, error)
    found = diff(*models)
    for each in found:
        print(_line(each, *args.files))
    return 1 if found else 0


def _line(difference: Difference, old: str, new: str) -> str:
    locations = (old, difference.old_location), (new, difference.new_location)
    where = ' -> '.join(place(file, *location) for file, location in locations if location)
    return f'{difference.summary} ({where})'
