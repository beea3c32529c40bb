"""Makes MuJoCo write all digits of numbers instead of six."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

import mujoco

from ...mujoco_library import open_library

_ALL = 17
_ONE_AT_A_TIME = Lock()


@contextmanager
def all_digits() -> Iterator[None]:
    """Makes MuJoCo write numbers in full precision inside the context.

    Raises RuntimeError if the function for this, which is not public, is missing.
    """
    library = _library()
    with _ONE_AT_A_TIME:
        before = library._mjPRIVATE__get_xml_precision()
        library._mjPRIVATE__set_xml_precision(_ALL)
        try:
            yield
        finally:
            library._mjPRIVATE__set_xml_precision(before)


def _library() -> ctypes.CDLL:
    library = open_library()
    if not hasattr(library, '_mjPRIVATE__set_xml_precision'):
        raise RuntimeError(
            f'MuJoCo {mujoco.__version__} writes six digits of each number and cannot be told to'
            ' write all'
        )
    return library
