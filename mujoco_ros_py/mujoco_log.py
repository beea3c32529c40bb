"""Passes MuJoCo's warnings to Python's log; MuJoCo would print them and append them to a file.

Warnings of simulation steps do not arrive here, because the loop collects them.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import mujoco

_log = logging.getLogger(__name__)


def forward_warnings() -> None:
    """Passes the warnings of this process to the log, unless another handler is set."""
    _collectors.fall_back(_forward)


def told_once(error: Exception) -> str:
    """Returns the message of a failed compilation without repeated lines.

    MuJoCo repeats the reason if an engine plugin cannot be initialized.
    """
    return '\n'.join(dict.fromkeys(str(error).strip().splitlines()))


@contextmanager
def collecting() -> Iterator[list[str]]:
    """Collects the warnings of this thread, and of no other thread, inside the context.

    Any number of threads may collect at the same time.
    """
    collected: list[str] = []
    _collectors.begin(collected)
    try:
        yield collected
    finally:
        _collectors.end(collected)


class _Collectors:
    """Collects the warnings of each thread in the list of the thread's innermost context.

    While threads collect, this object is MuJoCo's handler. It passes the warnings of all other
    threads to the previous handler.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: list[tuple[int, list[str]]] = []
        self._before: Callable[[str], None] | None = None

    def begin(self, collected: list[str]) -> None:
        """Starts to collect the warnings of the calling thread in a list."""
        with self._lock:
            if not self._open:
                self._before = mujoco.get_mju_user_warning()
                mujoco.set_mju_user_warning(self._take)
            self._open = [*self._open, (threading.get_ident(), collected)]

    def end(self, collected: list[str]) -> None:
        """Ends collecting in a list; the last end restores MuJoCo's previous handler."""
        with self._lock:
            self._open = [each for each in self._open if each[1] is not collected]
            if not self._open:
                mujoco.set_mju_user_warning(self._before)
                self._before = None

    def fall_back(self, handler: Callable[[str], None]) -> None:
        """Sets a handler if MuJoCo has no handler."""
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
