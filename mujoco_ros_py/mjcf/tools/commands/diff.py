"""The command `diff`, which prints the differences of two models."""

from __future__ import annotations

import click

from ....errors import MjcfError
from ...compare.difference import Difference
from ...compare.search import diff as differences
from .arguments import ModelFile, command
from .inputs import open_input, place
from .outputs import fail


@command('old.xml new.xml')
@click.argument('old', type=ModelFile())
@click.argument('new', type=ModelFile())
def diff(old: str, new: str) -> int:
    """Print the differences between two models.

    A line for each difference of the second model from the first. Layout, comments, includes and
    the format of numbers do not count. Elements are matched by name, others by what they have in
    common. Meshes and other files are compared by name and content.

    Exit code: 0 they say the same; 1 they differ; 2 one cannot be read.
    """
    models = []
    for file in (old, new):
        try:
            models.append(open_input(file).model())
        except (OSError, MjcfError) as error:
            return fail(file, error)
    found = differences(*models)
    for each in found:
        print(_line(each, old, new))
    return 1 if found else 0


def _line(difference: Difference, old: str, new: str) -> str:
    locations = (old, difference.old_location), (new, difference.new_location)
    where = ' -> '.join(place(file, *location) for file, location in locations if location)
    return f'{difference.summary} ({where})'
