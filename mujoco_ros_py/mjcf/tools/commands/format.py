"""The `format` command: formats model files."""

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
@click.option('--check', is_flag=True, help='Only list the files that would change.')
@click.option('--diff', is_flag=True, help='Only print the changes.')
def format(files: tuple[str, ...], check: bool, diff: bool) -> int:
    """Format files.

    One element per line, two spaces per level, at most 100 columns, numbers with few digits.
    Comments, the order of attributes and the meaning stay; included files are not formatted. Files
    are replaced; standard input is formatted to standard output.

    Exit code: 0 done; 1 a file would change, with --check or --diff; 2 a file was rejected.
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
