"""What executables with a node share: arguments, a thread for callbacks, and a clean end."""

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
"""A queue by which a signal ends the process; it might come while an Event's lock is held."""
_log = logging.getLogger(__name__)

BAD_INPUT = 2
"""The exit code for parameters, a model or, with `strict`, plugins that cannot be used."""
_MIXED_HINT = (
    '. If it is a list of structs: ROS parameters hold none; write it as a block of text,'
    ' with a bar behind the name (MujocoPlugins: |)'
)
_FILE_OPTION = '--params-file'
_REPEATED_S = 0.5
_SIGNAL_S = 0.1
"""How long a signal that another thread took may go unnoticed, in seconds."""


def run_until_signal(
    name: str, run: Callable[[Stop], int], on_signal: Callable[[], None] = lambda: None
) -> int:
    """Calls `run(stop)`, which ends when a signal has called `on_signal()` and filled `stop`.

    Returns its exit code, or 2 for bad input and for what ROS refuses, 128 and the number of a
    signal that came while code was compiled for the start, and 1 for other errors. They are
    printed in one line.
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
        print(f'{name}:', *str(error).split(), file=sys.stderr)  # all in one line
        return BAD_INPUT if isinstance(error, ConfigError | ModelError | PluginError) else 1
    except refusal() as error:
        print(f'{name}: {refused(error)}', file=sys.stderr)
        return BAD_INPUT
    finally:
        rclpy.try_shutdown()
        gc.collect()  # an error may refer to entities of the node, and so keep its shared memory
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)  # nothing kills the interpreter at its end


def wait(stop: Stop) -> None:
    """Waits until something is in the queue; a signal alone may not end a longer wait."""
    while True:
        with contextlib.suppress(Empty):
            stop.get(timeout=_SIGNAL_S)
            return


def make_node(args: list[str], name: str, **options: Any) -> NodeKeeper:
    """Makes the node and its keeper. Raises ConfigError for arguments that cannot be used."""
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
    """Warns of parameter files that are for other nodes, and so without any effect."""
    own = node.get_fully_qualified_name()
    for option, path in pairwise(args):
        if option == _FILE_OPTION and (others := foreign_nodes(path, own)):
            node.get_logger().warning(
                f'{path} has no effect: it is for {listed(others)}, and this node is {own};'
                ' /** stands for every node'
            )


class Spinner:
    """Calls the node's callbacks on a thread of its own, until it is closed.

    If somebody shuts rclpy down in this process, the thread ends, `failed` is true, and `stop`
    gets an item.
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
        """Ends the thread; waits 1 s for the callback that runs, and is False if it goes on."""
        self._over.set_result(None)
        if self._thread.is_alive():
            self._thread.join(1.0)
        self._keeper.spinning = None
        return not self._thread.is_alive()

    def _spin(self) -> None:
        while not self._over.done():
            if not self._keeper.node.context.ok():
                self.failed = True
                _log.error('the process ends, as rclpy was shut down in it')
                self._stop.put(None)
                return
            try:
                self._executor.spin_until_future_complete(self._over, timeout_sec=1.0)
            except ExternalShutdownException:
                continue
            except BaseException as error:  # a callback without an owner raised
                _log.error('a ROS callback raised', exc_info=error)


class _Stopper:
    """Handles signals: the first ends the process in order, another 0.5 s later ends it at once.

    One Ctrl-C may arrive twice: from the terminal, and from `ros2 run` or `ros2 launch`, which got
    it too.
    """

    def __init__(self, stop: Stop, on_signal: Callable[[], None]) -> None:
        self._stop, self._on_signal = stop, on_signal
        self._first = float('inf')
        self.exit_code = 0
        """128 and the number of the first signal."""

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
    """A timer on the executor's thread, which shows that the thread goes on."""

    name = 'the executor of the ROS callbacks'

    def __init__(self, node: Node) -> None:
        self._beats: int | None = None
        self._thread: threading.Thread | None = None
        node.create_timer(_BEAT_S, self._beat, clock=Clock(clock_type=ClockType.STEADY_TIME))

    @property
    def beats(self) -> int | None:
        """A number that changes as long as the thread goes on; None before it has begun."""
        return self._beats

    def doing(self) -> str:
        """Returns what keeps the thread; an empty string if nothing is known."""
        thread = self._thread
        if thread is not None and not thread.is_alive():
            return 'its thread has ended'
        return str((thread and activity(thread.ident)) or '')

    def leave_behind(self) -> None:
        """Does nothing: no other thread can take over, as rclpy's executor has only one."""

    def _beat(self) -> None:
        self._thread = threading.current_thread()
        self._beats = (self._beats or 0) + 1
