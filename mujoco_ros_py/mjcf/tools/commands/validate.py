"""The `validate` command: reports errors in models."""

from __future__ import annotations

import click

from ....errors import MjcfError
from ..checking import check
from .arguments import FILES, command
from .inputs import open_input, place, told
from .outputs import fail


@command('robots/*.xml')
@FILES
@click.option(
    '--no-compile', is_flag=True,
    help='Skip the compilation, which takes longer and needs the meshes.',
)  # fmt: skip
@click.option('-v', '--verbose', is_flag=True, help='Also print the valid files.')
def validate(files: tuple[str, ...], no_compile: bool, verbose: bool) -> int:
    """Report the errors in models.

    Prints file:line: and the error, for all errors found in each file; prints nothing for a valid
    file. Each file is read, and compiled with MuJoCo if reading finds no errors. Files with the
    root <mujocoinclude> are parts of models and are only read.

    Exit code: 0 all files are valid; 1 an error was found; 2 a file cannot be read.
    """
    return max([_validate(file, not no_compile, verbose) for file in files])


def _validate(file: str, compiled: bool, verbose: bool) -> int:
    try:
        given = open_input(file)
    except (OSError, MjcfError) as error:
        return fail(file, error)
    errors, ignored = check(given.content, given.folder, given.assets, compiled=compiled)
    for each in errors:
        print(told(file, each))
    for each in ignored:
        print(f'{place(file, each.path, each.line)}: warning: {each.reason}')
    if verbose and not errors:
        print(f'{place(file)}: fine')
    return 1 if errors else 0
