"""A queue of loads, which are made one after the other on a thread of their own."""

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
"""A reload that has waited for others for so many seconds is cancelled."""
_LOOK_S = 1.0
_REST_S = 0.002
"""The time without a load after which what was replaced is freed: who was answered goes first."""
_MOST_LOADS = 8
"""The number of loads after which it is freed, however soon the next one comes."""
ENDING = 'the simulation is shutting down'
Prepare = Callable[[], Callable[[], None]]
"""Does something before a load, and returns a function that takes that back if the load fails."""


class ReloadQueue:
    """Calls one function after the other; each caller gets what the own function returns."""

    def __init__(self, tidy: Callable[[], None]) -> None:
        """`tidy()` is called on the thread of the queue soon after loads that were answered."""
        self._tidy = tidy
        self._queue = CommandQueue(lambda: None)
        self._waiting: set[Future[Any]] = set()
        self._lock = threading.Lock()
        # A reload that never ends, as a plugin blocks it, does not keep others waiting for ever.
        self._timeouts = StartTimeouts(_START_TIMEOUT_S, _LOOK_S)
        self.closed = False

    def start(self) -> None:
        """Starts the thread."""
        threading.Thread(target=self._run, name='loader', daemon=True).start()

    def submit(self, load: Callable[[], Result]) -> Future[Result]:
        """Requests a call of `load()`; the future is done when it is over.

        The future fails with SimulationError if other reloads take too long, and with EndedError
        at the end.
        """
        done: Future[Result] = Future()
        done.set_running_or_notify_cancel()  # nobody may cancel it while it waits for others
        self._waiting.add(done)
        begun = self._queue.submit(without_program_callbacks()(load))
        self._timeouts.add(begun)
        begun.add_done_callback(lambda begun: self._finish(done, *_outcome(begun)))
        return done

    def close(self) -> None:
        """Settles all futures, also that of a reload under way, which may take any time."""
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
        """Settles a future once: when its reload is over, or when the session ends before that."""
        with self._lock:
            if done not in self._waiting:
                return
            self._waiting.remove(done)
        if not isinstance(error, MujocoRosError | None):  # nobody's input, but a fault of ours
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
    """Calls `prepare()`; if the context ends with an exception, calls the function it returned."""
    take_back = prepare()
    try:
        yield
    except BaseException:
        take_back()
        raise
