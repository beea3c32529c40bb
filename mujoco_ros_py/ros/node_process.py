"""Shared code of executables with a node: arguments, a callback thread and a clean shutdown."""

from __future__ import annotations

import contextlib
import gc
import logging
import signal
import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Any

import rclpy
from rclpy.clock import Clock, ClockType
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from rclpy.task import Future
from rclpy.utilities import remove_ros_args

from ..config import listed
from ..config.parameter_files import foreign_nodes
from ..errors import CompilingStoppedError, ConfigError, ModelError, MujocoRosError, PluginError
from ..rcl_internals import MIXED_SEQUENCE
from ..simulation import activity
from .entities.node_keeper import NodeKeeper
from .fast_dds import remove_half_made_ports
from .rclpy_internals import new_executor, refusal, refused

Stop = SimpleQueue[None]
"""The queue into which a signal handler puts an item to end the process. An Event is not safe
here: a signal may arrive while its lock is held."""
_log = logging.getLogger(__name__)

BAD_INPUT = 2
"""The exit code for invalid parameters, an invalid model or, with `strict`, invalid plugins."""
_MIXED_HINT = (
    '. ROS parameters cannot hold a list of structs: write it as a block of text,'
    ' with a bar after the name (MujocoPlugins: |)'
)
_FILE_OPTION = '--params-file'
_REPEATED_S = 0.5
_SIGNAL_S = 0.1
"""How often to check for signals that another thread received, in seconds."""


def run_until_signal(
    name: str, run: Callable[[Stop], int], on_signal: Callable[[], None] = lambda: None
) -> int:
    """Calls `run(stop)`, which must return soon after an item is put into `stop`.

    A signal calls `on_signal()` and puts an item into `stop`. Returns the exit code of `run`. If
    `run` raises, prints the error on one line. It then returns 2 for invalid input and for
    entities that ROS refuses, and 1 for other errors. After a signal that arrived while code was
    compiled at startup, it returns 128 plus the signal's number.
    """
    stop: Stop = SimpleQueue()
    stopper = _Stopper(stop, on_signal)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stopper)
    try:
        return run(stop)
    except CompilingStoppedError as error:
        print(f'{name}: {error}', file=sys.stderr)
        return stopper.exit_code
    except MujocoRosError as error:
        print(f'{name}:', *str(error).split(), file=sys.stderr)  # all on one line
        return BAD_INPUT if isinstance(error, ConfigError | ModelError | PluginError) else 1
    except refusal() as error:
        print(f'{name}: {refused(error)}', file=sys.stderr)
        return BAD_INPUT
    finally:
        rclpy.try_shutdown()
        gc.collect()  # an error may keep entities of the node alive, and thus its shared memory
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)  # a signal must not kill the exiting interpreter


def wait(stop: Stop) -> None:
    """Waits for an item in the queue; polls, because a signal may not interrupt a longer wait."""
    while True:
        with contextlib.suppress(Empty):
            stop.get(timeout=_SIGNAL_S)
            return


def make_node(args: list[str], name: str, **options: Any) -> NodeKeeper:
    """Creates the node and its keeper. Raises ConfigError for invalid arguments."""
    try:
        if others := remove_ros_args(args)[1:]:
            raise ConfigError(f'arguments that are not for ROS: {" ".join(others)}')
        remove_half_made_ports()
        rclpy.init(args=args, signal_handler_options=SignalHandlerOptions.NO)
        keeper = NodeKeeper(name, **options)
    except ConfigError:
        raise
    except Exception as error:  # rclpy raises many types for bad arguments
        text = ' '.join(str(error).split())
        hint = _MIXED_HINT if MIXED_SEQUENCE in text else ''
        raise ConfigError(f'the ROS arguments cannot be used: {text}{hint}') from error
    _warn_of_foreign_files(args, keeper.node)
    return keeper


def _warn_of_foreign_files(args: list[str], node: Node) -> None:
    """Warns about parameter files for other nodes, which have no effect."""
    own = node.get_fully_qualified_name()
    for option, path in pairwise(args):
        if option == _FILE_OPTION and (others := foreign_nodes(path, own)):
            node.get_logger().warning(
                f'{path} has no effect: it is for {listed(others)}, and this node is {own};'
                ' /** stands for every node'
            )


class Spinner:
    """Runs the node's callbacks on a thread of its own, until it is closed.

    If rclpy is shut down in this process, the thread ends, `failed` becomes true, and an item is
    put into `stop`.
    """

    def __init__(self, keeper: NodeKeeper, stop: Stop) -> None:
        self._keeper = keeper
        self._stop = stop
        self.failed = False
        self._executor = new_executor(keeper.node.context)
        self._executor.add_node(keeper.node)
        self._over: Future[None] = Future(executor=self._executor)
        self._thread = threading.Thread(target=self._spin, name='executor', daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()
        self._keeper.spinning = self._thread

    def close(self) -> bool:
        """Ends the thread, waiting up to 1 s for a running callback; returns whether it ended."""
        self._over.set_result(None)
        if self._thread.is_alive():
            self._thread.join(1.0)
        self._keeper.spinning = None
        return not self._thread.is_alive()

    def _spin(self) -> None:
        while not self._over.done():
            if not self._keeper.node.context.ok():
                self.failed = True
                _log.error('the process ends because some code in it has shut rclpy down')
                self._stop.put(None)
                return
            try:
                self._executor.spin_until_future_complete(self._over, timeout_sec=1.0)
            except ExternalShutdownException:
                continue
            except BaseException as error:  # a callback without an owner raised
                _log.error('a ROS callback raised', exc_info=error)


class _Stopper:
    """Handles signals: the first ends the process cleanly, the next after 0.5 s or more kills it.

    One Ctrl-C may arrive twice: from the terminal, and from `ros2 run` or `ros2 launch`, which
    received it too.
    """

    def __init__(self, stop: Stop, on_signal: Callable[[], None]) -> None:
        self._stop, self._on_signal = stop, on_signal
        self._first = float('inf')
        self.exit_code = 0
        """128 plus the number of the first signal."""

    def __call__(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if now - self._first > _REPEATED_S:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        if not self.exit_code:
            self._first, self.exit_code = now, 128 + number
        self._on_signal()
        self._stop.put(None)


_BEAT_S = 0.25


class ExecutorHeartbeat:
    """A timer on the executor's thread that shows whether the thread still runs."""

    name = 'the executor of the ROS callbacks'

    def __init__(self, node: Node) -> None:
        self._beats: int | None = None
        self._thread: threading.Thread | None = None
        node.create_timer(_BEAT_S, self._beat, clock=Clock(clock_type=ClockType.STEADY_TIME))

    @property
    def beats(self) -> int | None:
        """A number that changes while the thread runs; None before its first beat."""
        return self._beats

    def doing(self) -> str:
        """Returns the activity that occupies the thread; an empty string if it is unknown."""
        thread = self._thread
        if thread is not None and not thread.is_alive():
            return 'its thread has ended'
        return str((thread and activity(thread.ident)) or '')

    def leave_behind(self) -> None:
        """Does nothing: rclpy's executor has only one thread, so no other thread can take over."""

    def _beat(self) -> None:
        self._thread = threading.current_thread()
        self._beats = (self._beats or 0) + 1
