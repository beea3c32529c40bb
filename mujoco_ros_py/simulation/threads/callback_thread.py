"""A thread that calls the functions of one owner, one after the other."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

Task = Callable[[], object]


class CallbackThread:
    """Calls the functions of one owner on a separate thread, which starts with the first call.

    If a function does not return, it blocks later functions of the same owner, but no others. The
    functions must not raise.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._queue: SimpleQueue[Task | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False

    def run(self, task: Task) -> None:
        """Queues a function; returns without waiting for its call."""
        with self._lock:
            if self._closed:
                return
            self._queue.put(task)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Drops the queue without waiting. The thread ends when its current call returns."""
        with self._lock:
            self._closed = True
        self._queue.put(None)

    def _run(self) -> None:
        while (task := self._queue.get()) is not None and not self._closed:
            task()


class Backlog:
    """A queue of limited depth for the arguments of a function that a callback thread calls.

    If the function is too slow, the oldest arguments are dropped, as in the queue of a
    subscription.
    """

    def __init__(
        self, thread: CallbackThread, function: Callable[..., object], depth: int
    ) -> None:
        self._thread, self._function = thread, function
        self._waiting: deque[tuple[Any, ...]] = deque()
        self._lock = threading.Lock()
        self._depth = max(1, depth)

    def __call__(self, *arguments: Any) -> None:
        """Queues the arguments; returns without waiting for the call."""
        with self._lock:
            full = len(self._waiting) == self._depth
            if full:  # a task is already queued: it will take the new arguments
                self._waiting.popleft()
            self._waiting.append(arguments)
        if not full:
            self._thread.run(self._next)

    def _next(self) -> None:
        with self._lock:
            arguments = self._waiting.popleft()
        self._function(*arguments)
