"""Which compiled functions may be called again, by what they call, before they have returned."""

from __future__ import annotations

import math
from typing import Any

from ..foreign.llvmlite_internals import called_outside
from ..foreign.numba_internals import final_module

_HARMLESS = 'llvm.', 'mju_', 'NRT_', 'numba_'
"""How the names of functions begin that call nobody else: LLVM's, MuJoCo's and numba's own."""
_MATHEMATICS = frozenset(dir(math))
"""The C library calls its functions as Python does."""
_LEADS_ELSEWHERE = 'numba_gil_ensure', 'numba_parallel_for'
"""Functions that lead to Python, or to code on other threads."""


def may_come_back(compiled: Any) -> bool:
    """Whether the code calls MuJoCo's pipeline, Python, or what cannot be judged."""
    module, name = final_module(compiled.library), compiled.fndesc.llvm_func_name
    return not all(map(_is_harmless, called_outside(module, name)))


def _is_harmless(name: str) -> bool:
    known = name.startswith(_HARMLESS) or name in _MATHEMATICS
    return known and name not in _LEADS_ELSEWHERE
