"""The parser of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import mujoco

from .... import __version__
from . import diff, export, flatten, format, schema, validate

_EPILOG = """\
A FILE is MJCF, or - for the standard input; except for format and flatten it may also be a zip
with one XML file, or with one that is called as the zip or model.xml.
Exit status: 0 no problem; 1 problems or differences were found; 2 a command failed.
Each command tells more with --help."""
COMMANDS = validate, format, flatten, diff, export, schema


def main(argv: Sequence[str]) -> int:
    """Runs one command, and returns the exit status."""
    args = make_parser().parse_args(argv)
    code: int = args.run(args)
    return code


def make_parser() -> argparse.ArgumentParser:
    """Makes the parser of the command line, to which each command adds its own part."""
    parser = argparse.ArgumentParser(
        'mujoco_ros_py mjcf',
        description='Checks, formats, compares and exports models.',
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    version = f'mujoco_ros_py {__version__}, MuJoCo {mujoco.__version__}'
    parser.add_argument('--version', action='version', version=version)
    commands = parser.add_subparsers(title='commands', metavar='COMMAND', required=True)
    for command in COMMANDS:
        command.add_to(commands)
    return parser
