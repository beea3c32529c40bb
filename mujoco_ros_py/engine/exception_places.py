"""Finds where in the source an exception of compiled code comes from.

An exception that a user's function raises carries its place, in numba's own way. An exception that
a function of numba or of this package raises for it has no place, or that of a file that users do
not know. In this case the caller's place is stored when the exception is raised, under a symbol
that compiled code refers to.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import os
import types
from pathlib import Path

from .foreign.llvm_loader import add_symbol
from .symbols import PLACE

_place = ctypes.c_char_p()
add_symbol(PLACE, ctypes.addressof(_place))


def locate(error: BaseException) -> None:
    """Gives an exception of compiled code the traceback of the user's line, if that is known.

    Two threads that raise at the same time may get each other's place.
    """
    # Cleared, so that the next exception without a place does not get this one.
    noted, _place.value = _place.value, None
    if noted is not None and _is_of_library(error.__traceback__):
        file, function, line = noted.decode().split('\n')
        error.__traceback__ = _traceback(file, function, int(line))


def _is_of_library(trace: types.TracebackType | None) -> bool:
    """Returns whether a traceback is missing, or ends in a file that users do not know."""
    if trace is None:
        return True
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_code.co_filename.startswith(_library_folders())


@functools.cache
def _library_folders() -> tuple[str, ...]:
    numba = importlib.util.find_spec('numba')
    assert numba is not None
    assert numba.origin is not None
    own = Path(__file__).parent / 'compiled'
    return f'{Path(numba.origin).parent}{os.sep}', f'{own}{os.sep}'


def _traceback(file: str, function: str, line: int) -> types.TracebackType | None:
    """Returns the traceback of a frame at this place, made by code that raises there."""
    # A traceback needs a frame, and a frame has file and line from its code.
    raising = compile('\n' * (line - 1) + 'raise Exception', file, 'exec')
    try:
        exec(raising.replace(co_name=function))
    except Exception as error:
        trace = error.__traceback__
        # The first entry is this function.
        return trace and trace.tb_next
    return None
