"""A queue of reloads, which are made one after the other on a thread of their own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future

from ..errors import EndedError, SimulationError
from ..simulation import CommandQueue, StartTimeouts

_START_TIMEOUT_S = 30.0
"""A reload that has waited for others for so many seconds is cancelled."""
_LOOK_S = 1.0
_ENDING = 'the simulation is shutting down'


class ReloadQueue:
    """Calls `reload()` once for each request; each caller gets what it returns."""

    def __init__(self, reload: Callable[[], list[str]]) -> None:
        self._reload = reload
        self._queue = CommandQueue(lambda: None)
        self._waiting: set[Future[list[str]]] = set()
        self._lock = threading.Lock()
        # A reload that never ends, as a plugin blocks it, does not keep others waiting for ever.
        self._timeouts = StartTimeouts(_START_TIMEOUT_S, _LOOK_S)
        self.closed = False

    def start(self) -> None:
        """Starts the thread."""
        threading.Thread(target=self._run, name='loader', daemon=True).start()

    def submit(self, prepare: Callable[[], Callable[[], None]] | None = None) -> Future[list[str]]:
        """Requests a reload; the future is done when it is over.

        `prepare()` is called just before the reload, on its thread, and returns a function that
        takes back what it did, which is called if the reload fails.

        The future fails with SimulationError if other reloads take too long, and with EndedError
        at the end.
        """
        done: Future[list[str]] = Future()
        done.set_running_or_notify_cancel()  # nobody may cancel it while it waits for others
        self._waiting.add(done)
        begun = self._queue.submit(lambda: self._prepared(prepare))
        self._timeouts.add(begun)
        begun.add_done_callback(lambda begun: self._finish(done, *_outcome(begun)))
        return done

    @property
    def loading(self) -> bool:
        """Whether a reload is under way, or waits for others."""
        return bool(self._waiting)

    def close(self) -> None:
        """Settles all futures, also that of a reload under way, which may take any time."""
        self.closed = True
        self._queue.close(_ENDING)
        self._timeouts.close()
        for done in tuple(self._waiting):
            self._finish(done, [], EndedError(_ENDING))

    def _run(self) -> None:
        while not self.closed:
            self._queue.wait()

    def _prepared(self, prepare: Callable[[], Callable[[], None]] | None) -> list[str]:
        """Makes a reload, after what was to be done before it."""
        take_back = _do_nothing if prepare is None else prepare()
        try:
            return self._reload()
        except BaseException:
            take_back()
            raise

    def _finish(
        self, done: Future[list[str]], said: list[str], error: BaseException | None
    ) -> None:
        """Settles a future once: when its reload is over, or when the session ends before that."""
        with self._lock:
            if done not in self._waiting:
                return
            self._waiting.remove(done)
        if error is None:
            done.set_result(said)
        else:
            done.set_exception(error)


def _do_nothing() -> None:
    """Takes back nothing."""


def _outcome(begun: Future[list[str]]) -> tuple[list[str], BaseException | None]:
    if begun.cancelled():
        error = SimulationError(
            f'another reload has been under way for more than {_START_TIMEOUT_S:g} s;'
            ' nothing was done'
        )
        return [], error
    error_of = begun.exception()
    return ([], error_of) if error_of is not None else (begun.result(), None)
