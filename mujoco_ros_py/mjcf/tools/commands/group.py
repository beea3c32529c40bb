"""The `mujoco_ros_py mjcf` command group: validate, format, compare and export models."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

import click
import mujoco

from .... import __version__
from . import diff, export, flatten, format, overlay, schema, validate
from .outputs import FAILED

_EPILOG = """\
\b
FILE is an MJCF file, or - for standard input. All commands except format, flatten and overlay also
accept a zip file if it contains a single XML file, model.xml, or an XML file with its name.
Exit code: 0 no problem; 1 problems or differences were found; 2 a command failed."""
_INTERRUPTED = 128 + signal.SIGINT
_PIPE_CLOSED = 128 + signal.SIGPIPE


class _Commands(click.Group):
    """A group that handles a closed pipe, a full disk and Ctrl-C like other Unix tools."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> int:
        return _run_as_process(lambda: super(_Commands, self).invoke(ctx))


@click.group(
    cls=_Commands,
    no_args_is_help=False,  # a missing command is an error
    epilog=_EPILOG,
    commands=[
        validate.validate, format.format, flatten.flatten, overlay.overlay, diff.diff,
        export.export, schema.schema,
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


def _run_as_process(command: Callable[[], int]) -> int:
    """Runs a command and returns the exit status; stream errors print no traceback."""
    _set_up_streams()
    try:
        code = command()
        sys.stdout.flush()
    except BrokenPipeError:  # for example `| head`
        _end(_PIPE_CLOSED)
    except KeyboardInterrupt:
        _end(_INTERRUPTED)
    except (OSError, MemoryError) as error:
        reason = getattr(error, 'strerror', None) or 'out of memory'
        print(f'mujoco_ros_py mjcf: {reason}', file=sys.stderr)
        _end(FAILED)
    return code


def _set_up_streams() -> None:
    """Makes the streams escape file names they cannot encode, and replaces closed streams."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, 'w')  # noqa: SIM115 (stays open)
    if sys.stderr is None:
        sys.stderr = sys.stdout
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors='backslashreplace')  # type: ignore[union-attr]


def _end(code: int) -> None:
    """Exits without cleanup: output is impossible, and MuJoCo may still compile on a thread."""
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(code)
