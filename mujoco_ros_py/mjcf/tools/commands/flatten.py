"""The command `flatten`, which writes a model with its includes as one file."""

from __future__ import annotations

import argparse
from os.path import dirname
from typing import Any

from ....errors import MjcfError
from ...files.relocation import relocate
from ...sources.saving import to_bytes
from .arguments import FILE, add_command
from .inputs import is_zip, open_input
from .outputs import add_output, fail, write

_DESCRIPTION = """\
Prints the model with what it includes in the place of the includes; the rest of the text stays as
it is. Names of meshes and other files are relative to the folder of FILE, or with -o to that of
OUT. What <attach> takes from other models stays there. For a model in a zip there is `export`.

Exit status: 0 the model was written; 2 it could not be written."""


def add_to(commands: Any) -> None:
    """Adds the parser of the command."""
    parser = add_command(
        commands,
        'flatten',
        run,
        title='put what a model includes into its own file',
        description=_DESCRIPTION,
        example='scene.xml -o whole/scene.xml',
    )
    parser.add_argument('file', **FILE)
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Writes the file, and returns the exit status."""
    try:
        if is_zip(args.file):
            raise MjcfError('the files of a zip would be lost: `export` keeps them')
        model = open_input(args.file).model()
    except (OSError, MjcfError) as error:
        return fail(args.file, error)
    if args.out is not None:
        relocate(model, dirname(args.out))
    return write(to_bytes(model), args.out)
