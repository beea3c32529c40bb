"""Owners of callbacks, which are told of their faults and know how long they take."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from .callback_thread import CallbackThread

_log = logging.getLogger(__name__)
_LAST_S = 1.0
"""The time in seconds for which closing a callback waits for its last call."""


class Activity:
    """A context of a thread that does something for an owner, such as a call of a callback."""

    __slots__ = ('_outer', 'lasting', 'owner', 'since', 'what')

    def __init__(self, owner: Owner, what: str, *, lasting: bool = False) -> None:
        self.owner, self.what, self.since = owner, what, time.monotonic()
        self.lasting = lasting
        """Whether the activity may take many seconds, without a warning from the watchdog."""
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
    """Returns what a thread (by default the calling one) does for an owner; None: nothing."""
    return _now.get(threading.get_ident() if thread is None else thread)


class Owner:
    """A plugin, or the server itself, to which callbacks belong.

    `on_fault(where, error)` is called with whatever a callback raises, on the thread that called
    it.
    """

    def __init__(self, name: str, on_fault: Callable[[str, BaseException], None]) -> None:
        self.name = name
        self.closed = False
        self._on_fault = on_fault
        self._closing: list[Callable[[], object]] = []
        self._ending: list[Callable[[], object]] = []
        self._ended = False
        self.activities: dict[tuple[int, int], Activity] = {}
        """The activities that are under way, by thread and identity."""
        self.thread = CallbackThread(name)
        """The thread on which functions of this owner are called, one after the other."""

    @classmethod
    def of_no_plugin(cls, name: str) -> Owner:
        """Makes an owner for callbacks of no plugin: a fault is logged, and closes the owner."""

        def fail(where: str, error: BaseException) -> None:
            owner.close()
            _log.error('%s of %s is not called any more: it raised', where, name, exc_info=error)

        owner = cls(name, fail)
        return owner

    def callback(
        self, what: str, function: Callable[..., Any], *, wait_s: float = 0.0
    ) -> OwnedCallback:
        """Makes a callback of this owner from a function; `what` names it in messages.

        A call waits up to `wait_s` seconds while another thread is in the function.
        """
        return OwnedCallback(self, what, function, wait_s)

    def fail(self, where: str, error: BaseException) -> None:
        """Tells the owner that one of its functions raised."""
        self._on_fault(where, error)

    def on_close(self, function: Callable[[], object]) -> None:
        """Has a function called when the owner is closed, on the thread that closes it."""
        if self.closed:
            function()
        else:
            self._closing.append(function)

    def on_end(self, function: Callable[[], object]) -> None:
        """Has a function called when the owner has ended, on the thread that ends it."""
        if self._ended:
            function()
        else:
            self._ending.append(function)

    def close(self) -> None:
        """Has no callback called from now on, and waits for none that is under way.

        What a callback that is under way raises is dropped.
        """
        self.closed = True
        self.thread.close()
        self._on_fault = _ignore  # the old function refers to all plugins and to the model
        closing, self._closing = self._closing, []
        for function in closing:
            function()

    def end(self) -> None:
        """Closes the owner, and then releases all that it has created."""
        self.close()
        self._ended = True
        ending, self._ending = self._ending, []
        for function in ending:
            function()

    def at(self, what: str, *, lasting: bool = False) -> Activity:
        """Returns a context for what the calling thread does for this owner."""
        return Activity(self, what, lasting=lasting)

    def busy(self, longer_than_s: float) -> list[Activity]:
        """Returns the activities that have been under way for so long, on any thread."""
        limit = time.monotonic() - longer_than_s
        now = tuple(self.activities.values())
        return [each for each in now if each.since < limit and not each.lasting]


def _ignore(where: str, error: BaseException) -> None:
    """Drops the fault of an owner that is closed."""


class OwnedCallback:
    """One function of an owner, which is never called twice at a time.

    Whatever the function raises is told to the owner, and the thread that called it goes on.
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
        """Whether the function is not called any more."""
        return self._closed or self.owner.closed

    def __call__(self, *arguments: Any) -> Any:
        """Calls the function, and returns its result; None if it raises, is closed or runs now."""
        if self.closed or not self._calling.acquire(timeout=self._wait_s):
            return None
        try:
            with self.owner.at(self.what):
                return self._function(*arguments)
        except BaseException as error:  # a callback may also raise SystemExit
            if not self._closed:  # otherwise it used what is gone
                self.owner.fail(self.what, error)
            return None
        finally:
            self._calling.release()

    def close(self) -> None:
        """Ends the calls; waits up to 1 s for one that is under way on another thread."""
        self._closed = True
        if self._calling.acquire(timeout=_LAST_S):
            self._calling.release()
