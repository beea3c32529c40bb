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
    if mujoco.get_mju_user_warning() is None:
        mujoco.set_mju_user_warning(_forward)


@contextmanager
def collecting() -> Iterator[list[str]]:
    """Collects this thread's warnings inside the context, but not those of other threads."""
    before: Callable[[str], None] | None = mujoco.get_mju_user_warning()
    collected, thread = [], threading.get_ident()

    def take(text: str) -> None:
        if threading.get_ident() == thread:
            collected.append(text.strip())
        else:
            (before or _forward)(text)

    mujoco.set_mju_user_warning(take)
    try:
        yield collected
    finally:
        mujoco.set_mju_user_warning(before)


def _forward(text: str) -> None:
    _log.warning('MuJoCo warns: %s', text.strip())
