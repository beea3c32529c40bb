"""The command `schema`, which prints an XML schema of MJCF for editors."""

from __future__ import annotations

import argparse
from typing import Any

from .arguments import add_command
from .outputs import add_output, write

_DESCRIPTION = """\
Prints an XML schema (XSD) of the MJCF that the installed MuJoCo takes. Editors complete and check
files with it."""


def add_to(commands: Any) -> None:
    """Adds the parser of the command."""
    parser = add_command(
        commands,
        'schema',
        run,
        title='print an XML schema of MJCF',
        description=_DESCRIPTION,
        example='-o mjcf.xsd',
    )
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Prints the schema, and returns the exit status."""
    from ..xsd import schema_xsd  # the other commands do not need it

    return write(schema_xsd().encode(), args.out)
