"""Functions of others that our threads call: whose they are, how long they take, how they fail."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from .callback_thread import CallbackThread

_log = logging.getLogger(__name__)
_LAST_S = 1.0
"""How long a duty that is closed waits for its last call."""


class Activity:
    """What a thread does for an owner, since when (on the monotonic clock); a context."""

    __slots__ = ('_outer', 'lasting', 'owner', 'since', 'what')

    def __init__(self, owner: Owner, what: str, *, lasting: bool = False) -> None:
        self.owner, self.what, self.since = owner, what, time.monotonic()
        self.lasting = lasting
        """It may take many seconds, and nobody is to be warned of that."""
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
"""The innermost of each thread, by its identifier."""


def activity(thread: int | None = None) -> Activity | None:
    """What a thread does for an owner; of the calling one if none is given."""
    return _now.get(threading.get_ident() if thread is None else thread)


class Owner:
    """Whom functions belong to: a plugin, or the server itself.

    `on_fault(where, error)` is told of whatever one of them raises, on the thread that called it.
    """

    def __init__(self, name: str, on_fault: Callable[[str, BaseException], None]) -> None:
        self.name = name
        self.closed = False
        self._on_fault = on_fault
        self._closing: list[Callable[[], object]] = []
        self._ending: list[Callable[[], object]] = []
        self._ended = False
        self.activities: dict[tuple[int, int], Activity] = {}
        """What is under way."""
        self.thread = CallbackThread(name)
        """Runs functions of this owner on a thread that belongs to it."""

    @classmethod
    def nobody(cls, name: str) -> Owner:
        """Owns what belongs to no plugin: a fault is logged, and closes it."""

        def fail(where: str, error: BaseException) -> None:
            owner.close()
            _log.error('%s of %s is not called any more: it raised', where, name, exc_info=error)

        owner = cls(name, fail)
        return owner

    def callback(self, what: str, function: Callable[..., Any]) -> OwnedCallback:
        """A function of this owner, to be called by a thread of ours."""
        return OwnedCallback(self, what, function)

    def fail(self, where: str, error: BaseException) -> None:
        """One of the functions raised."""
        self._on_fault(where, error)

    def on_close(self, function: Callable[[], object]) -> None:
        """To be called when the owner is closed, on whichever thread that is."""
        if self.closed:
            function()
        else:
            self._closing.append(function)

    def on_end(self, function: Callable[[], object]) -> None:
        """To be called when the owner has nothing more to do or to say."""
        if self._ended:
            function()
        else:
            self._ending.append(function)

    def close(self) -> None:
        """None of the functions is called from now on; waits for none that is under way.

        What one that is under way raises is not told to anybody.
        """
        self.closed = True
        self.thread.close()
        self._on_fault = _ignore  # the other leads to all plugins, and to the model
        closing, self._closing = self._closing, []
        for function in closing:
            function()

    def end(self) -> None:
        """Closes the owner, and lets go of all that is its own."""
        self.close()
        self._ended = True
        ending, self._ending = self._ending, []
        for function in ending:
            function()

    def at(self, what: str, *, lasting: bool = False) -> Activity:
        """While the calling thread is in a function of this owner, or in work for it."""
        return Activity(self, what, lasting=lasting)

    def busy(self, longer_than_s: float) -> list[Activity]:
        """The calls that have been under way for so long, on whichever thread."""
        limit = time.monotonic() - longer_than_s
        now = tuple(self.activities.values())
        return [each for each in now if each.since < limit and not each.lasting]


def _ignore(where: str, error: BaseException) -> None:
    """For an owner that is closed."""


class OwnedCallback:
    """One function of an owner. It is never called twice at a time.

    Whatever it raises stays in here: its owner is told, and the thread goes on.
    """

    def __init__(self, owner: Owner, what: str, function: Callable[..., Any]) -> None:
        self.owner = owner
        self.what = what
        self._function = function
        self._calling = threading.RLock()
        self._closed = False

    def __str__(self) -> str:
        return f'{self.what} of {self.owner.name}'

    @property
    def closed(self) -> bool:
        """Is not called any more."""
        return self._closed or self.owner.closed

    def __call__(self, *arguments: Any) -> Any:
        """What the function returns; None if it raises, is closed, or has not returned yet."""
        if self.closed or not self._calling.acquire(blocking=False):
            return None
        try:
            with self.owner.at(self.what):
                return self._function(*arguments)
        except BaseException as error:  # SystemExit and KeyboardInterrupt are theirs too
            if not self._closed:  # else what it used is gone
                self.owner.fail(self.what, error)
            return None
        finally:
            self._calling.release()

    def close(self) -> None:
        """Not called any more; waits 1 s for a call that is under way on another thread."""
        self._closed = True
        if self._calling.acquire(timeout=_LAST_S):
            self._calling.release()
