"""PyMJCF's debug mode, in which there is nothing to do here.

An error of compilation always has the element that MuJoCo complains of. Which line of Python made
or changed an element is not recorded.
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
    """Whether lines of Python are recorded: never."""
    return False


def enable_debug_mode() -> None:
    """Has no effect."""


def disable_debug_mode() -> None:
    """Has no effect."""


def get_full_dump_dir() -> str | None:
    """The folder that was set last, which nothing is written to."""
    return _dump_dir


def set_full_dump_dir(dump_path: str | None) -> None:
    """Keeps the folder for `get_full_dump_dir`."""
    global _dump_dir
    _dump_dir = dump_path


def get_current_stack_trace() -> None:
    """None: it is not recorded."""


@contextmanager
def freeze_current_stack_trace() -> Iterator[None]:
    """Has no effect."""
    yield
