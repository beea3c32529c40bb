"""The command `format`, which brings model files into one layout."""

from __future__ import annotations

import argparse
import sys
from difflib import unified_diff
from typing import Any

from ....errors import MjcfError
from ...sources.source import Source
from ..formatting import formatted
from .arguments import add_command, add_files
from .inputs import STDIN, place, read_bytes
from .outputs import fail, write_file, write_stdout

_DESCRIPTION = """\
Brings files into one layout: an element a line, two blanks for each level, at most 100 columns,
numbers in few digits. Comments, the order of attributes and all that a file says stay; what it
includes are files of their own. Files are replaced; what comes from the standard input goes to the
standard output.

Exit status: 0 all is done; 1 a file would change, with --check or --diff; 2 a file was refused.
"""


def add_to(commands: Any) -> None:
    """Adds the parser of the command."""
    parser = add_command(
        commands,
        'format',
        run,
        title='bring files into one layout',
        description=_DESCRIPTION,
        example='--check robots/*.xml',
    )
    add_files(parser)
    parser.add_argument('--check', action='store_true', help='only tell which would change')
    parser.add_argument('--diff', action='store_true', help='only print what would change')


def run(args: argparse.Namespace) -> int:
    """Formats all files, and returns the exit status."""
    return max([_format(file, args) for file in args.files])


def _format(file: str, args: argparse.Namespace) -> int:
    try:
        before = read_bytes(file)
        after = formatted(before)
        if args.check or args.diff:
            return _tell(file, before, after, args)
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


def _tell(file: str, before: bytes, after: bytes, args: argparse.Namespace) -> int:
    if before == after:
        return 0
    if args.check:
        print(f'would format {place(file)}')
    if args.diff:
        name = place(file)
        print(*unified_diff(_lines(before), _lines(after), name, name, lineterm=''), sep='\n')
    return 1


def _lines(content: bytes) -> list[str]:
    return Source(content).text.decoded(0, len(content)).splitlines()
