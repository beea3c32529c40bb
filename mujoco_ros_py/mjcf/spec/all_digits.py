"""Makes MuJoCo write numbers with all digits instead of six."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from ...mujoco_internals import exchange_xml_precision

_ALL = 17
_ONE_AT_A_TIME = Lock()


@contextmanager
def all_digits() -> Iterator[None]:
    """Makes MuJoCo write numbers with full precision inside the context.

    Raises RuntimeError if the required non-public function is missing.
    """
    with _ONE_AT_A_TIME:
        before = exchange_xml_precision(_ALL)
        try:
            yield
        finally:
            exchange_xml_precision(before)
