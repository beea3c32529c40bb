"""The `diff` command: prints the differences between two models."""

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

    Prints a line for each difference. Layout, comments, includes and number formats are ignored.
    Elements are matched by name; unnamed elements by their similarity. Meshes and other files are
    compared by name and content.

    Exit code: 0 no differences; 1 differences; 2 a model cannot be read.
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
