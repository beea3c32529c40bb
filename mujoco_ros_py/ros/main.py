"""The executable of the server, which runs until a signal or the server itself ends it."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from ..errors import EndedError
from ..isolation import Worker
from ..session import keep_memory_of_images, keep_what_is_imported
from ..simulation import SavedState
from .entities.node_keeper import NodeKeeper
from .log_forwarding import forwarded_logs
from .node_end import end_node
from .node_process import Spinner, Stop, make_node, run_until_signal, wait
from .server import Server

_USAGE = """\
A ROS 2 simulation server for MuJoCo. All its settings are ROS parameters:

  mujoco_ros_py --ros-args -p modelfile:=robot.xml -p realtime:=1.0
  mujoco_ros_py --ros-args --params-file server.yaml

docs/parameters.md lists them, and so does `ros2 param list /mujoco_server`.

  mujoco_ros_py call reset
  mujoco_ros_py set realtime 0.5

talk to a server that runs, without the ROS command line; `mujoco_ros_py call --help` tells more.

  mujoco_ros_py mjcf --help

is for the files of models: it checks, formats and compares them, and needs no ROS.

  mujoco_ros_py replay --help
  mujoco_ros_py render --help

are for recordings: they play, show, check and continue them, and make films of them."""

_FAST_DDS = (
    'FASTDDS_DEFAULT_PROFILES_FILE',
    'FASTRTPS_DEFAULT_PROFILES_FILE',
    'FASTDDS_BUILTIN_TRANSPORTS',
)
_SWITCH_S = 1e-4
"""How long a Python thread may keep others waiting, such as Python callbacks, in seconds."""
_LINGER_S = 0.1
"""How long the middleware gets to send the last responses, in seconds."""


def main(
    worker: Worker | None = None,
    argv: Sequence[str] | None = None,
    begin: SavedState | None = None,
) -> int:
    """Runs the server and returns the exit code.

    It is 0 after a clean end, 1 if the server could not end cleanly, and 2 for bad input. `worker`
    is a process for models, if one has been started. `begin` is the state in which the simulation
    begins, if that is not the start.
    """
    args = list(sys.argv if argv is None else ['mujoco_ros_py', *argv])
    sys.setswitchinterval(_SWITCH_S)
    keep_what_is_imported()
    keep_memory_of_images()
    _make_room_for_images()
    return run_until_signal('mujoco_server', lambda stop: _run(args, stop, worker, begin))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        'mujoco_ros_py', description=_USAGE, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    from .. import __version__

    parser.add_argument('--version', action='version', version=f'%(prog)s {__version__}')
    return parser


def _make_room_for_images() -> None:
    """Has Fast DDS deliver large messages on this machine, unless the user has configured it."""
    if not any(name in os.environ for name in _FAST_DDS):
        os.environ[_FAST_DDS[0]] = str(Path(__file__).with_name('fastdds.xml'))


def _run(args: list[str], stop: Stop, worker: Worker | None, begin: SavedState | None) -> int:
    keeper = make_node(args, _parser(), 'mujoco_server')
    try:
        with forwarded_logs(keeper.node.get_logger()):
            return _serve(keeper, stop, worker, begin)
    finally:
        end_node(keeper.node)


def _serve(keeper: NodeKeeper, stop: Stop, worker: Worker | None, begin: SavedState | None) -> int:
    spinner = Spinner(keeper, stop)
    try:
        server = Server(keeper, lambda: stop.put(None), worker, begin)
        started = server.start()
        spinner.start()  # who gets an answer of one service finds all others
        started.add_done_callback(lambda started: stop.put(None) if started.exception() else None)
        started.add_done_callback(
            lambda started: None if started.exception() else keeper.tell_unused_overrides()
        )
        wait(stop)
        ended = server.close()
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
