"""Finds the source line at which compiled code raised an exception.

numba attaches the line to an exception that a user's function raises directly. If a function of
numba or of this package raises on behalf of the user's function, the exception has no line, or a
line in a file that users do not know. Therefore compiled code that raises in such a function also
stores the line of its caller, in memory that it finds through the symbol PLACE.
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
    """Sets the traceback of an exception from compiled code to the user's line, if it is known.

    If two threads raise at the same time, they may get each other's line.
    """
    # Clears the stored line, or the next exception without a line would get it too.
    noted, _place.value = _place.value, None
    if noted is not None and _is_of_library(error.__traceback__):
        file, function, line = noted.decode().split('\n')
        error.__traceback__ = _traceback(file, function, int(line))


def _is_of_library(trace: types.TracebackType | None) -> bool:
    """Returns whether a traceback is missing, or ends in a file of numba or of this package."""
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
    """Returns a traceback that ends at this line, made by executing code that raises there."""
    # A traceback needs a frame, and a frame takes its file and line from its code.
    raising = compile('\n' * (line - 1) + 'raise Exception', file, 'exec')
    try:
        exec(raising.replace(co_name=function))
    except Exception as error:
        trace = error.__traceback__
        # The first entry is the frame of this function.
        return trace and trace.tb_next
    return None
