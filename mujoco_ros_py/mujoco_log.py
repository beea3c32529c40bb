"""Passes MuJoCo's warnings to Python's log; MuJoCo would print them and append them to a file.

Warnings of a simulation's steps are not among them, as the loop collects these.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import mujoco

_log = logging.getLogger(__name__)


def forward_warnings() -> None:
    """Passes warnings to the log from now on, process-wide; a handler that is set stays."""
    _collectors.fall_back(_forward)


def told_once(error: Exception) -> str:
    """Returns the message of a failed compilation with each line once.

    MuJoCo repeats the reason of an engine plugin that cannot be initialized.
    """
    return '\n'.join(dict.fromkeys(str(error).strip().splitlines()))


@contextmanager
def collecting() -> Iterator[list[str]]:
    """Collects this thread's warnings inside the context, but not those of other threads.

    Any number of threads may do that at the same time.
    """
    collected: list[str] = []
    _collectors.begin(collected)
    try:
        yield collected
    finally:
        _collectors.end(collected)


class _Collectors:
    """The lists of all threads that collect warnings, the innermost last for each thread.

    While there are any, MuJoCo's handler is that of this object, which passes on the warnings of
    all other threads to the handler that was set before.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: list[tuple[int, list[str]]] = []
        self._before: Callable[[str], None] | None = None

    def begin(self, collected: list[str]) -> None:
        """Collects the warnings of the calling thread in a list from now on."""
        with self._lock:
            if not self._open:
                self._before = mujoco.get_mju_user_warning()
                mujoco.set_mju_user_warning(self._take)
            self._open = [*self._open, (threading.get_ident(), collected)]

    def end(self, collected: list[str]) -> None:
        """Ends collecting in a list; the last end gives MuJoCo its previous handler."""
        with self._lock:
            self._open = [each for each in self._open if each[1] is not collected]
            if not self._open:
                mujoco.set_mju_user_warning(self._before)
                self._before = None

    def fall_back(self, handler: Callable[[str], None]) -> None:
        """Sets a handler where there is none."""
        with self._lock:
            if self._open:
                self._before = self._before or handler
            elif mujoco.get_mju_user_warning() is None:
                mujoco.set_mju_user_warning(handler)

    def _take(self, text: str) -> None:
        thread = threading.get_ident()
        own = [collected for owner, collected in self._open if owner == thread]
        if own:
            own[-1].append(text.strip())
        else:
            (self._before or _forward)(text)


_collectors = _Collectors()


def _forward(text: str) -> None:
    _log.warning('MuJoCo warns: %s', text.strip())
