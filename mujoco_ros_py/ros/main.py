"""The executable of the server; it runs until a signal or the server itself ends it."""

from __future__ import annotations

import faulthandler
import logging
import sys
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ..config.wording import printable
from ..engine import stop_compiling, stopped_function, write_at_crashes
from ..errors import CompilingStoppedError, EndedError
from ..processes import Worker
from ..session import keep_memory_of_images, keep_what_is_imported
from ..simulation import SavedState
from .entities.node_keeper import NodeKeeper
from .fast_dds import make_room_for_images
from .node_end import end_node
from .node_process import Spinner, Stop, make_node, run_until_signal, wait
from .rclpy_internals import write_log
from .server import Server

_SWITCH_S = 1e-4
"""How long a Python thread may keep the GIL while others wait for it, in seconds."""
_LINGER_S = 0.1
"""How long to wait for the middleware to send the last responses, in seconds."""


def main(
    worker: Worker | None = None,
    argv: Sequence[str] | None = None,
    begin: SavedState | None = None,
    added: Sequence[Mapping[str, Any]] = (),
) -> int:
    """Runs the server and returns the exit code.

    The exit code is 0 after a clean shutdown, 1 if the server could not shut down cleanly, and 2
    for invalid input. A signal that arrives while code is compiled at startup makes it 130 or 143.
    `worker` is an already started process that compiles models, or None. `begin` is a saved state
    to start from instead of the model's initial state. `added` are the configurations of further
    plugins, which are appended to `MujocoPlugins`.
    """
    args = list(sys.argv if argv is None else ['mujoco_ros_py', *argv])
    sys.setswitchinterval(_SWITCH_S)
    keep_what_is_imported()
    keep_memory_of_images()
    make_room_for_images()
    faulthandler.enable()
    return run_until_signal(
        'mujoco_server', lambda stop: _run(args, stop, worker, begin, added), stop_compiling
    )


def _run(args: list[str], stop: Stop, *given: Any) -> int:
    """Creates the node and runs the server; `given` are the last arguments of `Server`."""
    keeper = make_node(args, 'mujoco_server')
    try:
        with forwarded_logs(keeper.node.get_logger()):
            return _serve(keeper, stop, *given)
    finally:
        end_node(keeper.node)


def _serve(keeper: NodeKeeper, stop: Stop, *given: Any) -> int:
    spinner = Spinner(keeper, stop)
    try:
        server = Server(keeper, lambda: stop.put(None), *given)
        write_at_crashes()
        started = server.start()
        spinner.start()  # only now: a client that finds one service can rely on all others
        started.add_done_callback(lambda started: stop.put(None) if started.exception() else None)
        started.add_done_callback(
            lambda started: None if started.exception() else keeper.topics.tell_unused()
        )
        wait(stop)
        loaded = started.done()
        ended = server.close()
        if not loaded and (name := stopped_function()):
            raise CompilingStoppedError(name)
        if (error := started.exception()) and not isinstance(error, EndedError):
            raise error
        time.sleep(_LINGER_S)
        if spinner.failed:
            return 1
        if spinner.close():
            server.withdraw()
        return 0 if ended else 1
    finally:
        spinner.close()


_ROOT = 'mujoco_ros_py'


class RosHandler(logging.Handler):
    """Forwards log records to a ROS logger, with their severity and source location."""

    def __init__(self, logger: Any) -> None:
        super().__init__()
        self._logger = logger

    def emit(self, record: logging.LogRecord) -> None:
        """Logs a record, with its traceback if it has one; never raises."""
        try:
            self._emit(record)
        except Exception:  # the record is malformed, or the context is shut down
            self.handleError(record)

    def _emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None:
            text = f'{text}\n{"".join(traceback.format_exception(record.exc_info[1])).rstrip()}'
        text = printable(text)  # file names may contain lone surrogates
        place = record.funcName or '', record.pathname, record.lineno
        write_log(self._logger, _severity(record.levelno), text, place)


def _severity(level: int) -> int:
    """Returns the ROS severity of a Python level: rounded down to 10, 20, 30, 40 or 50."""
    return min(max(level // 10 * 10, logging.DEBUG), logging.CRITICAL)


@contextmanager
def forwarded_logs(logger: Any) -> Iterator[None]:
    """Forwards the log of the package to ROS in the block, then restores the old settings."""
    root, handler = logging.getLogger(_ROOT), RosHandler(logger)
    before = root.level, root.propagate
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    root.propagate = False
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(before[0])
        root.propagate = before[1]
