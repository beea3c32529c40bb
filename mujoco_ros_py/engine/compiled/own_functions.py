"""Compiles this package's functions, which call each other and are called by users' functions."""

from __future__ import annotations

import copy
from typing import Any

import numba

from ..foreign.numba.numba_code import use_code_generator
from ..foreign.numba.numba_internals import CompilerBase, DefaultPassBuilder
from .emission import emission
from .literal_types import without_literals

_UNUSED = frozenset({
    'with_lifting', 'inline_closure_likes', 'rewrite_semantic_constants', 'dead_branch_prune',
    'make_function_op_code_to_jit_function', 'inline_inlinables', 'find_literally',
    'literal_unroll', 'LiteralPropagation', 'annotate_types', 'inline_overloads',
    'nopython_rewrites', 'nopython_supported_feature_validation', 'dump_parfor_diagnostics',
})  # fmt: skip
"""Passes for features that these functions do not use, such as closures, `with` and array
expressions; the passes take a tenth of the compile time."""


class _Compiler(CompilerBase):
    """numba's compiler, but linking and optimizing are left to the cached function."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # numba has one context per process; the user's functions must keep using numba's
        # generator.
        self.state.targetctx = copy.copy(self.state.targetctx)
        use_code_generator(self.state.targetctx, emission())

    def define_pipelines(self) -> list[Any]:
        """Returns the numba passes that these functions need."""
        made = DefaultPassBuilder.define_nopython_pipeline(self.state)
        made.passes = [(each, reason) for each, reason in made.passes if each._name not in _UNUSED]
        made.finalize()
        return [made]


def own_function(**options: Any) -> Any:
    """Decorates a function that only compiled code calls; `options` are those of `numba.njit`."""
    wrappers = {'no_cpython_wrapper': True, 'no_cfunc_wrapper': True}
    decorate = numba.njit(nogil=True, pipeline_class=_Compiler, **wrappers, **options)
    return lambda function: without_literals(decorate(function))
