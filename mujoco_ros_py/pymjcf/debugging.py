"""PyMJCF's debug mode, which has no effect in this package.

A compilation error always has the element that MuJoCo names. The line of Python that made or
changed an element is not recorded.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = [
    'debug_mode',
    'disable_debug_mode',
    'enable_debug_mode',
    'freeze_current_stack_trace',
    'get_current_stack_trace',
    'get_full_dump_dir',
    'set_full_dump_dir',
]

_dump_dir: str | None = None


def debug_mode() -> bool:
    """Returns whether lines of Python are recorded, which is always False."""
    return False


def enable_debug_mode() -> None:
    """Does nothing, because lines of Python are not recorded."""


def disable_debug_mode() -> None:
    """Does nothing, because lines of Python are not recorded."""


def get_full_dump_dir() -> str | None:
    """Returns the folder that was set last; nothing is written to it."""
    return _dump_dir


def set_full_dump_dir(dump_path: str | None) -> None:
    """Stores the folder that `get_full_dump_dir` returns."""
    global _dump_dir
    _dump_dir = dump_path


def get_current_stack_trace() -> None:
    """Returns None, because lines of Python are not recorded."""


@contextmanager
def freeze_current_stack_trace() -> Iterator[None]:
    """Does nothing, because lines of Python are not recorded."""
    yield
