"""The executable of the server, which runs until a signal or the server itself ends it."""

from __future__ import annotations

import faulthandler
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from ..engine import stop_compiling, stopped_function, write_at_crashes
from ..errors import CompilingStoppedError, EndedError
from ..processes import Worker
from ..session import keep_memory_of_images, keep_what_is_imported
from ..simulation import SavedState
from .entities.node_keeper import NodeKeeper
from .fast_dds import make_room_for_images
from .log_forwarding import forwarded_logs
from .node_end import end_node
from .node_process import Spinner, Stop, make_node, run_until_signal, wait
from .server import Server

_SWITCH_S = 1e-4
"""How long a Python thread may keep others waiting, such as Python callbacks, in seconds."""
_LINGER_S = 0.1
"""How long the middleware gets to send the last responses, in seconds."""


def main(
    worker: Worker | None = None,
    argv: Sequence[str] | None = None,
    begin: SavedState | None = None,
    added: Sequence[Mapping[str, Any]] = (),
) -> int:
    """Runs the server and returns the exit code.

    It is 0 after a clean end, 1 if the server could not end cleanly, 2 for bad input, and 130 or
    143 after a signal that came while code was compiled for the start. `worker`
    is a process for models, if one has been started. `begin` is the state in which the simulation
    begins, if that is not the start. `added` are structs of plugins that follow those of
    `MujocoPlugins`.
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
    """Makes the node and runs the server; `given` are the last arguments of `Server`."""
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
        spinner.start()  # who gets an answer of one service finds all others
        started.add_done_callback(lambda started: stop.put(None) if started.exception() else None)
        started.add_done_callback(
            lambda started: None if started.exception() else keeper.tell_unused_overrides()
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
