"""Runs a command as a process: its streams, its signals and its exit status."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

from .outputs import FAILED

_INTERRUPTED = 128 + signal.SIGINT
_PIPE_CLOSED = 128 + signal.SIGPIPE


def run_as_process(command: Callable[[], int]) -> int:
    """Runs a command, and returns the exit status. No error of its streams has a traceback."""
    _set_up_streams()
    try:
        code = command()
        sys.stdout.flush()
    except BrokenPipeError:  # as in `| head`
        _end(_PIPE_CLOSED)
    except KeyboardInterrupt:
        _end(_INTERRUPTED)
    except (OSError, MemoryError) as error:
        reason = getattr(error, 'strerror', None) or 'out of memory'
        print(f'mujoco_ros_py mjcf: {reason}', file=sys.stderr)
        _end(FAILED)
    return code


def _set_up_streams() -> None:
    """Makes the streams accept any file name, and replaces streams that are closed."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, 'w')  # noqa: SIM115 it stays open
    if sys.stderr is None:
        sys.stderr = sys.stdout
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors='backslashreplace')  # type: ignore[union-attr]


def _end(code: int) -> None:
    """Ends the process at once, as no output can be written and MuJoCo may compile in a thread."""
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(code)
