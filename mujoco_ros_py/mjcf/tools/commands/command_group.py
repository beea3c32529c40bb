"""The group of the commands for models."""

from __future__ import annotations

from collections.abc import Sequence

import click
import mujoco

from .... import __version__
from . import diff, export, flatten, format, schema, validate
from .command_process import run_as_process

_EPILOG = """\
\b
A FILE is MJCF, or - for the standard input; except for format and flatten it may also be a zip
with one XML file, or with one that is called as the zip or model.xml.
Exit code: 0 no problem; 1 problems or differences were found; 2 a command failed."""


class _Commands(click.Group):
    """Commands that end as a process does: by a closed pipe, a full disk or Ctrl-C."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> int:
        return run_as_process(lambda: super(_Commands, self).invoke(ctx))


@click.group(
    cls=_Commands,
    no_args_is_help=False,  # but a mistake
    epilog=_EPILOG,
    commands=[
        validate.validate, format.format, flatten.flatten, diff.diff, export.export, schema.schema,
    ],
    context_settings={'help_option_names': ['-h', '--help'], 'max_content_width': 99},
)  # fmt: skip
@click.version_option(
    message=f'mujoco_ros_py {__version__}, MuJoCo {mujoco.__version__}', version=__version__
)
def mjcf() -> None:
    """Check, format, compare and export models."""


def run(argv: Sequence[str]) -> int:
    """Runs one command, and returns the exit status."""
    try:
        code: int = mjcf.main(list(argv), 'mujoco_ros_py mjcf', standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    return code
