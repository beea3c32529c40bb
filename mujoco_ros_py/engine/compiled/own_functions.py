"""Compiles this package's functions, which call each other and are called by users' functions."""

from __future__ import annotations

import copy
from typing import Any

import numba

from ..foreign.numba.numba_code import use_code_generator
from ..foreign.numba.numba_internals import CompilerBase, DefaultPassBuilder
from .emission import emission


class _Compiler(CompilerBase):
    """The compiler of numba, which leaves linking and optimizing to the function that is kept."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.state.targetctx = copy.copy(self.state.targetctx)
        use_code_generator(self.state.targetctx, emission())

    def define_pipelines(self) -> list[Any]:
        """Returns numba's passes."""
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]


def own_function(**options: Any) -> Any:
    """Decorates a function that only compiled code calls; `options` are those of `numba.njit`."""
    wrappers = {'no_cpython_wrapper': True, 'no_cfunc_wrapper': True}
    return numba.njit(nogil=True, pipeline_class=_Compiler, **wrappers, **options)
