"""Finds where in the source an exception of compiled code comes from.

An exception that a user's function raises carries its place, in numba's own way. An exception that
numba's functions raise for it does not. In this case the caller's place is stored when the
exception is raised, under a symbol that compiled code refers to.
"""

from __future__ import annotations

import ctypes
import types

from .foreign.llvmlite_internals import add_symbol
from .symbols import PLACE

_place = ctypes.c_char_p()
add_symbol(PLACE, ctypes.addressof(_place))


def locate(error: BaseException) -> None:
    """Adds a traceback to an exception of compiled code, if it has none and its place is known.

    Two threads that raise at the same time may get each other's place.
    """
    noted, _place.value = _place.value, None
    if error.__traceback__ is None and noted is not None:
        file, function, line = noted.decode().split('\n')
        error.__traceback__ = _traceback(file, function, int(line))


def _traceback(file: str, function: str, line: int) -> types.TracebackType | None:
    """Returns the traceback of a frame at this place, made by code that raises there."""
    raising = compile('\n' * (line - 1) + 'raise Exception', file, 'exec')
    try:
        exec(raising.replace(co_name=function))
    except Exception as error:
        trace = error.__traceback__
        return trace and trace.tb_next
    return None
