"""The command `validate`, which reports the faults of models."""

from __future__ import annotations

import argparse
from typing import Any

from ....errors import MjcfError
from ..checking import check
from .arguments import add_command, add_files
from .inputs import open_input, place, told
from .outputs import fail

_DESCRIPTION = """\
Prints file:line: and what is wrong there, for all that can be found in each file; nothing for a
good one. A file is read, and if that goes well MuJoCo compiles it. Files whose root is
<mujocoinclude> are parts of models: they are only read.

Exit status: 0 all files are valid; 1 a fault was found; 2 a file cannot be read."""


def add_to(commands: Any) -> None:
    """Adds the parser of the command."""
    parser = add_command(
        commands,
        'validate',
        run,
        title='report the faults of models',
        description=_DESCRIPTION,
        example='robots/*.xml',
    )
    add_files(parser)
    parser.add_argument(
        '--no-compile',
        dest='compile',
        action='store_false',
        help='do not let MuJoCo compile, which is faster and needs no meshes',
    )
    parser.add_argument('-v', '--verbose', action='store_true', help='also print the valid files')


def run(args: argparse.Namespace) -> int:
    """Checks all files, and returns the exit status."""
    return max([_validate(file, args) for file in args.files])


def _validate(file: str, args: argparse.Namespace) -> int:
    try:
        given = open_input(file)
    except (OSError, MjcfError) as error:
        return fail(file, error)
    errors, ignored = check(given.content, given.folder, given.assets, compiled=args.compile)
    for each in errors:
        print(told(file, each))
    for each in ignored:
        print(f'{place(file, each.path, each.line)}: warning: {each.reason}')
    if args.verbose and not errors:
        print(f'{place(file)}: fine')
    return 1 if errors else 0
