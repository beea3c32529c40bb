"""Owners of callbacks. They handle the faults and track the running calls of their callbacks."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from .callback_thread import CallbackThread

_log = logging.getLogger(__name__)
_LAST_S = 1.0
"""How long closing a callback waits for its last call, in seconds."""


class Activity:
    """A context in which a thread works for an owner, for example in a callback."""

    __slots__ = ('_outer', 'lasting', 'owner', 'since', 'what')

    def __init__(self, owner: Owner, what: str, *, lasting: bool = False) -> None:
        self.owner, self.what, self.since = owner, what, time.monotonic()
        self.lasting = lasting
        """Whether the activity may take many seconds without a warning from the watchdog."""
        self._outer: Activity | None = None

    def __str__(self) -> str:
        return f'{self.what} of {self.owner.name}'

    def __enter__(self) -> None:
        thread = threading.get_ident()
        self._outer = _now.get(thread)
        _now[thread] = self.owner.activities[thread, id(self)] = self

    def __exit__(self, *_: object) -> None:
        thread = threading.get_ident()
        del self.owner.activities[thread, id(self)]
        if self._outer is None:
            del _now[thread]
        else:
            _now[thread] = self._outer


_now: dict[int, Activity] = {}
"""The innermost activity of each thread, by the identifier of the thread."""


def activity(thread: int | None = None) -> Activity | None:
    """Returns the activity of a thread, by default the calling thread; None if it has none."""
    return _now.get(threading.get_ident() if thread is None else thread)


class Owner:
    """The owner of callbacks: a plugin, or the server itself.

    If a callback raises, `on_fault(where, error)` is called on the thread of the callback.
    """

    def __init__(self, name: str, on_fault: Callable[[str, BaseException], None]) -> None:
        self.name = name
        self.closed = False
        self._on_fault = on_fault
        self._closing: list[Callable[[], object]] = []
        self._ending: list[Callable[[], object]] = []
        self._ended = False
        self.activities: dict[tuple[int, int], Activity] = {}
        """The current activities, by the thread's identifier and the activity's `id`."""
        self.thread = CallbackThread(name)
        """The thread that calls functions of this owner, one after the other."""

    @classmethod
    def of_no_plugin(cls, name: str) -> Owner:
        """Creates an owner for callbacks outside of plugins.

        If a callback raises, the error is logged and the owner is closed.
        """

        def fail(where: str, error: BaseException) -> None:
            owner.close()
            _log.error('%s of %s will not be called again: it raised', where, name, exc_info=error)

        owner = cls(name, fail)
        return owner

    def callback(
        self, what: str, function: Callable[..., Any], *, wait_s: float = 0.0
    ) -> OwnedCallback:
        """Creates a callback of this owner from a function; `what` is its name in messages.

        A call waits up to `wait_s` seconds while another thread is in the function.
        """
        return OwnedCallback(self, what, function, wait_s)

    def fail(self, where: str, error: BaseException) -> None:
        """Reports an exception of one of the owner's functions."""
        self._on_fault(where, error)

    def on_close(self, function: Callable[[], object]) -> None:
        """Calls a function when `close` is called, on the thread that calls it."""
        if self.closed:
            function()
        else:
            self._closing.append(function)

    def on_end(self, function: Callable[[], object]) -> None:
        """Calls a function when `end` is called, on the thread that calls it."""
        if self._ended:
            function()
        else:
            self._ending.append(function)

    def close(self) -> None:
        """Prevents further calls of the callbacks; does not wait for calls in progress.

        Exceptions that these calls raise are dropped.
        """
        self.closed = True
        self.thread.close()
        self._on_fault = _ignore  # the old function would keep all plugins and the model alive
        closing, self._closing = self._closing, []
        for function in closing:
            function()

    def end(self) -> None:
        """Closes the owner, and then calls the functions added by `on_end`."""
        self.close()
        self._ended = True
        ending, self._ending = self._ending, []
        for function in ending:
            function()

    def at(self, what: str, *, lasting: bool = False) -> Activity:
        """Returns a context in which the calling thread works for this owner."""
        return Activity(self, what, lasting=lasting)

    def busy(self, longer_than_s: float) -> list[Activity]:
        """Returns the activities, on any thread, that have lasted longer than `longer_than_s`.

        Activities that may take many seconds are not included.
        """
        limit = time.monotonic() - longer_than_s
        now = tuple(self.activities.values())
        return [each for each in now if each.since < limit and not each.lasting]


def _ignore(where: str, error: BaseException) -> None:
    """Drops the fault of a closed owner."""


class OwnedCallback:
    """A function of an owner, which only one thread at a time can call.

    Exceptions are reported to the owner and do not reach the caller.
    """

    def __init__(
        self, owner: Owner, what: str, function: Callable[..., Any], wait_s: float = 0.0
    ) -> None:
        self.owner = owner
        self.what = what
        self._function = function
        self._wait_s = wait_s
        self._calling = threading.RLock()
        self._closed = False

    def __str__(self) -> str:
        return f'{self.what} of {self.owner.name}'

    @property
    def closed(self) -> bool:
        """Whether the callback or its owner is closed: the function is not called again."""
        return self._closed or self.owner.closed

    def __call__(self, *arguments: Any) -> Any:
        """Calls the function; returns its result, or None if it raises, is closed or busy."""
        if self.closed or not self._calling.acquire(timeout=self._wait_s):
            return None
        try:
            with self.owner.at(self.what):
                return self._function(*arguments)
        except BaseException as error:  # a callback may also raise SystemExit
            if not self._closed:  # a closed callback may have used released objects
                self.owner.fail(self.what, error)
            return None
        finally:
            self._calling.release()

    def close(self) -> None:
        """Prevents further calls; waits up to 1 s for a call in progress on another thread."""
        self._closed = True
        if self._calling.acquire(timeout=_LAST_S):
            self._calling.release()
