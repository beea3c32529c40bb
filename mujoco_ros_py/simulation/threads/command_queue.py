"""A queue of commands for another thread. Each command is a function with a future."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any, TypeVar

from ...errors import EndedError
from .repeating_thread import RepeatingThread

Result = TypeVar('Result')
_log = logging.getLogger(__name__)
_Item = tuple['Future[Any]', Callable[[], Any]]


class CommandQueue:
    """Functions that other threads submit, and that one thread calls in order."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._items: SimpleQueue[_Item] = SimpleQueue()
        self._wake = wake
        self._lock = Lock()
        self._closed: str | None = None

    def submit(self, function: Callable[[], Result]) -> Future[Result]:
        """Queues a function; cancelling its future before the call removes it from the queue."""
        future: Future[Result] = Future()
        with self._lock:
            if self._closed is not None:
                future.set_exception(EndedError(self._closed))
                return future
            self._items.put((future, function))
            self._wake()
        return future

    def wait(self, timeout_s: float | None = None) -> bool:
        """Waits for a function and calls it; returns without a call when the queue is closed.

        Returns False after `timeout_s` seconds without a function.
        """
        try:
            item = self._items.get(timeout=timeout_s)
        except Empty:
            return False
        _run(item)
        return True

    def drain(self) -> None:
        """Calls the queued functions; functions that they submit wait for the next call."""
        for _ in range(self._items.qsize()):
            try:
                item = self._items.get_nowait()
            except Empty:  # a function has closed the queue
                return
            _run(item)

    def close(self, reason: str) -> None:
        """Makes all futures fail with this reason, including those of later functions."""
        with self._lock:
            self._closed = reason
        with contextlib.suppress(Empty):
            while True:
                future, _ = self._items.get_nowait()
                if future.set_running_or_notify_cancel():
                    settle(future, error=EndedError(reason))
        self._items.put((Future(), lambda: None))  # ends a call of `wait`


def _run(item: _Item) -> None:
    future, function = item
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = function()
    except BaseException as error:  # all errors belong to the caller
        settle(future, error=error)
    else:
        settle(future, result)


def settle(future: Future[Any], result: Any = None, *, error: BaseException | None = None) -> None:
    """Sets the result or the error of a future, and logs exceptions of its callbacks.

    `concurrent.futures` does not catch SystemExit and KeyboardInterrupt in callbacks, which would
    end the thread. Raises InvalidStateError if the future is already done.
    """
    try:
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)
    except InvalidStateError:
        raise
    except BaseException as raised:
        _log.error("a done callback of a command's future raised", exc_info=raised)


class StartTimeouts:
    """Cancels futures that have not started within a time limit, from a separate thread."""

    def __init__(self, limit_s: float, look_s: float) -> None:
        self._limit_s = limit_s
        self._look_s = look_s
        self._since: dict[Future[Any], float] = {}
        self._lock = threading.Lock()
        self._thread = RepeatingThread('timeouts', self._look)
        self.close = self._thread.close
        self._thread.start()

    def add(self, future: Future[Any]) -> None:
        """Starts the time limit of a future."""
        with self._lock:
            self._since[future] = time.monotonic()
        future.add_done_callback(self._forget)

    def _forget(self, future: Future[Any]) -> None:
        with self._lock:
            self._since.pop(future, None)

    def _look(self) -> float:
        late = time.monotonic() - self._limit_s
        with self._lock:
            overdue = [future for future, since in self._since.items() if since < late]
        for future in overdue:
            future.cancel()
        return self._look_s
