"""Finds the compiled functions that may be called again, indirectly, before they have returned."""

from __future__ import annotations

import math
from typing import Any

from ..foreign.llvmlite_internals import called_outside
from ..foreign.numba.numba_code import final_module
from .emission import complete

_HARMLESS = 'llvm.', 'mju_', 'NRT_', 'numba_'
"""The prefixes of functions that call no others: LLVM's, MuJoCo's and numba's own."""
_MATHEMATICS = frozenset(dir(math))
"""The names of Python's math functions, which are those of the C library."""
_LEADS_ELSEWHERE = 'numba_gil_ensure', 'numba_parallel_for'
"""The functions that lead to Python, or to code on other threads."""


def may_come_back(compiled: Any) -> bool:
    """Returns whether the code calls MuJoCo's pipeline, Python, or unknown functions."""
    complete(compiled.library)
    module, name = final_module(compiled.library), compiled.fndesc.llvm_func_name
    return not all(map(_is_harmless, called_outside(module, name)))


def _is_harmless(name: str) -> bool:
    known = name.startswith(_HARMLESS) or name in _MATHEMATICS
    return known and name not in _LEADS_ELSEWHERE
