"""What is done before a load, and taken back if the load fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Prepare = Callable[[], Callable[[], None]]
"""Does something before a load, and returns a function that takes that back if the load fails."""


def prepare_nothing() -> Callable[[], None]:
    """Does nothing before a load."""
    return lambda: None


@contextmanager
def prepared(prepare: Prepare) -> Iterator[None]:
    """Calls `prepare()`; if the context ends with an exception, calls the function it returned."""
    take_back = prepare()
    try:
        yield
    except BaseException:
        take_back()
        raise
