"""Reloads, one after the other, on a thread of their own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future

from rclpy.node import Node

from ..errors import EndedError, SimulationError
from ..simulation import CommandQueue
from .patience import Patience

_PATIENCE_S = 30.0
"""A reload that others keep waiting for so long is given up."""
_LOOK_S = 1.0


class Reloads:
    """Calls `reload()` once for each that is asked for; every caller gets an answer."""

    def __init__(self, node: Node, reload: Callable[[], None]) -> None:
        self._reload = reload
        self._queue = CommandQueue(lambda: None)
        self._waiting: set[Future[None]] = set()
        self._lock = threading.Lock()
        # one that never ends, of a plugin that blocks say, does not keep others waiting
        self._patience = Patience(node, _PATIENCE_S, _LOOK_S)
        self.closed = False

    def start(self) -> None:
        """Starts the thread."""
        threading.Thread(target=self._run, name='loader', daemon=True).start()

    def submit(self) -> Future[None]:
        """One more; done when it is over, or the server ends, or others take too long."""
        done: Future[None] = Future()
        done.set_running_or_notify_cancel()  # waits for others: not to be taken back
        self._waiting.add(done)
        begun = self._queue.submit(self._reload)
        self._patience.wait_for(begun)
        begun.add_done_callback(lambda begun: self._finish(done, _error(begun)))
        return done

    def close(self) -> None:
        """Answers all, also him whose reload is under way: nobody knows how long it takes."""
        self.closed = True
        self._queue.close('the server is shutting down')
        for done in tuple(self._waiting):
            self._finish(done, EndedError('the server is shutting down'))

    def _run(self) -> None:
        while not self.closed:
            self._queue.wait()

    def _finish(self, done: Future[None], error: BaseException | None) -> None:
        """Once: when the reload is over, or when the server ends before it is."""
        with self._lock:
            if done not in self._waiting:
                return
            self._waiting.remove(done)
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)


def _error(begun: Future[None]) -> BaseException | None:
    if not begun.cancelled():
        return begun.exception()
    return SimulationError(
        f'another reload has been under way for more than {_PATIENCE_S:g} s; nothing was done'
    )
