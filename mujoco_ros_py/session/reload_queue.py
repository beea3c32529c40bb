"""A queue of loads, which run one at a time on the loader thread."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, TypeVar

from ..engine import without_program_callbacks
from ..errors import EndedError, MujocoRosError, SimulationError
from ..simulation import CommandQueue, StartTimeouts

_log = logging.getLogger(__name__)

Result = TypeVar('Result')

_START_TIMEOUT_S = 30.0
"""A reload that has waited this long for others, in seconds, is cancelled."""
_LOOK_S = 1.0
_REST_S = 0.002
"""How long the queue must be idle, in seconds, before replaced models are freed, so that the
answered callers can run first."""
_MOST_LOADS = 8
"""After this many loads replaced models are freed even if the queue is busy."""
ENDING = 'the simulation is shutting down'
Prepare = Callable[[], Callable[[], None]]
"""A function to call before a load; returns a function that undoes its effect after a failure."""


class ReloadQueue:
    """Calls functions one at a time; each caller receives the result of its own function."""

    def __init__(self, tidy: Callable[[], None]) -> None:
        """`tidy()` is called on the loader thread soon after loads have been answered."""
        self._tidy = tidy
        self._queue = CommandQueue(lambda: None)
        self._waiting: set[Future[Any]] = set()
        self._lock = threading.Lock()
        # If a plugin blocks a reload for ever, the next reloads must not wait for ever.
        self._timeouts = StartTimeouts(_START_TIMEOUT_S, _LOOK_S)
        self.closed = False

    def start(self) -> None:
        """Starts the thread."""
        threading.Thread(target=self._run, name='loader', daemon=True).start()

    def submit(self, load: Callable[[], Result]) -> Future[Result]:
        """Requests a call to `load()`; the future completes after the call.

        The future fails with SimulationError if other reloads take too long, and with EndedError
        on shutdown.
        """
        done: Future[Result] = Future()
        done.set_running_or_notify_cancel()  # so that callers cannot cancel it while it waits
        self._waiting.add(done)
        begun = self._queue.submit(without_program_callbacks()(load))
        self._timeouts.add(begun)
        begun.add_done_callback(lambda begun: self._finish(done, *_outcome(begun)))
        return done

    def close(self) -> None:
        """Fails all futures with EndedError, without waiting for a reload in progress."""
        self.closed = True
        self._queue.close(ENDING)
        self._timeouts.close()
        for done in tuple(self._waiting):
            self._finish(done, [], EndedError(ENDING))

    def _run(self) -> None:
        while not self.closed:
            self._queue.wait()
            for _ in range(_MOST_LOADS - 1):
                if self.closed or not self._queue.wait(_REST_S):
                    break
            self._tidy()

    def _finish(self, done: Future[Any], said: Any, error: BaseException | None) -> None:
        """Completes a future once: when its reload is over, or when the session ends first."""
        with self._lock:
            if done not in self._waiting:
                return
            self._waiting.remove(done)
        if not isinstance(error, MujocoRosError | None):  # a bug, not invalid input
            _log.error('a load has failed', exc_info=error)
        if error is None:
            done.set_result(said)
        else:
            done.set_exception(error)


def _outcome(begun: Future[Any]) -> tuple[Any, BaseException | None]:
    if begun.cancelled():
        error = SimulationError(
            f'another reload has been under way for more than {_START_TIMEOUT_S:g} s;'
            ' nothing was done'
        )
        return [], error
    error_of = begun.exception()
    return ([], error_of) if error_of is not None else (begun.result(), None)


def prepare_nothing() -> Callable[[], None]:
    """Does nothing before a load."""
    return lambda: None


@contextmanager
def prepared(prepare: Prepare) -> Iterator[None]:
    """Calls `prepare()`; if the context ends with an exception, calls the returned function."""
    take_back = prepare()
    try:
        yield
    except BaseException:
        take_back()
        raise
