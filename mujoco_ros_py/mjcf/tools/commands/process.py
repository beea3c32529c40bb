"""Runs a command as a process: its signals, its streams and its exit status."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

from .outputs import FAILED
from .parser import main

_INTERRUPTED = 128 + signal.SIGINT
_PIPE_CLOSED = 128 + signal.SIGPIPE


def run(argv: Sequence[str]) -> int:
    """Runs one command, and returns the exit status. No error ends with a traceback."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _set_up_streams()
    try:
        code = _code(argv)
        sys.stdout.flush()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the interrupted command has ended
    except BrokenPipeError:  # as in `| head`
        _end(_PIPE_CLOSED)
    except KeyboardInterrupt:
        _end(_INTERRUPTED)
    except (OSError, MemoryError) as error:
        reason = getattr(error, 'strerror', None) or 'out of memory'
        print(f'mujoco_ros_py mjcf: {reason}', file=sys.stderr)
        _end(FAILED)
    return code


def _code(argv: Sequence[str]) -> int:
    try:
        return main(argv)
    except SystemExit as end:  # raised by --help and for wrong arguments
        return int(end.code or 0)


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
