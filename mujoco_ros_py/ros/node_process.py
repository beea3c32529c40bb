"""What the executables share: a node from arguments, its callbacks on a thread, a clean end."""

from __future__ import annotations

import contextlib
import gc
import logging
import signal
import sys
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Any

import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.signals import SignalHandlerOptions
from rclpy.task import Future
from rclpy.utilities import remove_ros_args

from ..errors import ConfigError, ModelError, MujocoRosError, PluginError
from ..rclpy_internals import MIXED_SEQUENCE, new_executor
from .entities.shared_node import SharedNode

Stop = SimpleQueue[None]
"""What ends the process puts something in: an Event's lock may be held where a signal comes."""
_log = logging.getLogger(__name__)

BAD_INPUT = 2
"""Exit code for parameters, a model or, with `strict`, plugins that cannot be used."""
_MIXED_HINT = (
    '. If it is a list of structs: ROS parameters hold none; write it as a block of text,'
    ' with a bar behind the name (MujocoPlugins: |)'
)
_REPEATED_S = 0.5
_SIGNAL_S = 0.1
"""How long a signal may go unnoticed that another thread took."""


def run_until_signal(name: str, run: Callable[[Stop], int]) -> int:
    """The exit code of `run(stop)`, which ends when something is in `stop`: a signal puts it in.

    2 for bad input and 1 for what else is wrong, both with one line that says so.
    """
    stop: Stop = SimpleQueue()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _Stopper(stop))
    try:
        return run(stop)
    except MujocoRosError as error:
        print(f'{name}:', *str(error).split(), file=sys.stderr)  # one line
        return BAD_INPUT if isinstance(error, ConfigError | ModelError | PluginError) else 1
    finally:
        rclpy.try_shutdown()
        gc.collect()  # an error may still hold what is on the node, and so its shared memory
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)  # the interpreter's own end is not to be killed


def wait(stop: Stop) -> None:
    """Until something is in the queue; a signal is not sure to end a wait by itself."""
    while True:
        with contextlib.suppress(Empty):
            stop.get(timeout=_SIGNAL_S)
            return


def make_node(args: list[str], parser: ArgumentParser, name: str, **options: Any) -> SharedNode:
    """The node; what is wrong with the arguments is one ConfigError."""
    try:
        parser.parse_args(remove_ros_args(args)[1:])
        rclpy.init(args=args, signal_handler_options=SignalHandlerOptions.NO)
        return SharedNode(name, **options)
    except Exception as error:  # rclpy reports bad arguments by many types
        text = ' '.join(str(error).split())
        hint = _MIXED_HINT if MIXED_SEQUENCE in text else ''
        raise ConfigError(f'the ROS arguments cannot be used: {text}{hint}') from error


class Spinner:
    """Runs the node's callbacks on a thread of its own, until it is closed.

    If somebody shuts rclpy down in this process, it ends, `failed`, and tells `stop`.
    """

    def __init__(self, node: SharedNode, stop: Stop) -> None:
        self._node = node
        self._stop = stop
        self.failed = False
        self._executor = new_executor()
        self._executor.add_node(node)
        self._over: Future[None] = Future(executor=self._executor)
        self._thread = threading.Thread(target=self._spin, name='executor', daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()
        self._node.spinning = self._thread

    def close(self) -> bool:
        """Ends it; waits 1 s for the callback that is running, and is false if that goes on."""
        self._over.set_result(None)
        if self._thread.is_alive():
            self._thread.join(1.0)
        self._node.spinning = None
        return not self._thread.is_alive()

    def _spin(self) -> None:
        while not self._over.done():
            if not self._node.context.ok():
                self.failed = True
                _log.error('rclpy was shut down in this process: it ends')
                self._stop.put(None)
                return
            try:
                self._executor.spin_until_future_complete(self._over, timeout_sec=1.0)
            except ExternalShutdownException:
                continue
            except BaseException as error:  # of a callback that nobody is known to own
                _log.error('a ROS callback raised', exc_info=error)


class _Stopper:
    """The first signal ends the server in good order, one that comes 0.5 s later ends it at once.

    One Ctrl-C may arrive twice: from the terminal, and from the `ros2 run` or `ros2 launch` that
    got it too.
    """

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self._first = float('inf')

    def __call__(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if now - self._first > _REPEATED_S:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        self._first = min(self._first, now)
        self._stop.put(None)
