"""PyMJCF's debug mode, which has no effect in this package.

Compilation errors always include the element named by MuJoCo. The Python line that created or
changed an element is never recorded.
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
    """Returns False: Python lines are never recorded."""
    return False


def enable_debug_mode() -> None:
    """Does nothing: Python lines are never recorded."""


def disable_debug_mode() -> None:
    """Does nothing: Python lines are never recorded."""


def get_full_dump_dir() -> str | None:
    """Returns the last folder passed to `set_full_dump_dir`; nothing is written there."""
    return _dump_dir


def set_full_dump_dir(dump_path: str | None) -> None:
    """Stores the folder that `get_full_dump_dir` returns."""
    global _dump_dir
    _dump_dir = dump_path


def get_current_stack_trace() -> None:
    """Returns None: Python lines are never recorded."""


@contextmanager
def freeze_current_stack_trace() -> Iterator[None]:
    """Does nothing: Python lines are never recorded."""
    yield
