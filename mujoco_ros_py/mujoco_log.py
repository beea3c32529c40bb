"""MuJoCo's warnings go to Python's log: by itself it prints them and appends them to a file.

Those of a simulation's steps are not among them: the loop takes these.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import mujoco

_log = logging.getLogger(__name__)


def forward_warnings() -> None:
    """From now on, in the whole process; a handler that somebody has set stays."""
    if mujoco.get_mju_user_warning() is None:
        mujoco.set_mju_user_warning(_forward)


@contextmanager
def collecting() -> Iterator[list[str]]:
    """The warnings of this thread while it is in there; those of others go where they would."""
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
