"""The command `format`, which brings model files into one layout."""

from __future__ import annotations

import sys
from difflib import unified_diff

import click

from ....errors import MjcfError
from ...sources.source import Source
from ..formatting import formatted
from .arguments import FILES, command
from .inputs import STDIN, place, read_bytes
from .outputs import fail, write_file, write_stdout


@command('--check robots/*.xml')
@FILES
@click.option('--check', is_flag=True, help='Only tell which would change.')
@click.option('--diff', is_flag=True, help='Only print what would change.')
def format(files: tuple[str, ...], check: bool, diff: bool) -> int:
    """Bring files into one layout.

    An element a line, two blanks for each level, at most 100 columns, numbers in few digits.
    Comments, the order of attributes and all that a file says stay; what it includes are files of
    their own. Files are replaced; what comes from the standard input goes to the standard output.

    Exit code: 0 all is done; 1 a file would change, with --check or --diff; 2 a file was refused.
    """
    return max([_format(file, check, diff) for file in files])


def _format(file: str, check: bool, diff: bool) -> int:
    try:
        before = read_bytes(file)
        after = formatted(before)
        if check or diff:
            return _tell(file, before, after, check, diff)
        if file == STDIN:
            write_stdout(after)
        elif after != before:
            write_file(file, after)
            print(f'formatted {file}', file=sys.stderr)
    except BrokenPipeError:
        raise
    except (OSError, MjcfError) as error:
        return fail(file, error)
    return 0


def _tell(file: str, before: bytes, after: bytes, check: bool, diff: bool) -> int:
    if before == after:
        return 0
    if check:
        print(f'would format {place(file)}')
    if diff:
        name = place(file)
        print(*unified_diff(_lines(before), _lines(after), name, name, lineterm=''), sep='\n')
    return 1


def _lines(content: bytes) -> list[str]:
    return Source(content).text.decoded(0, len(content)).splitlines()
