"""Compiles this package's own functions for use in other compiled functions."""

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
"""numba passes for features that these functions do not use, such as closures, `with` and array
expressions. Skipping the passes saves a tenth of the compile time."""


class _Compiler(CompilerBase):
    """numba's compiler without linking and optimization.

    Both happen once, when the cached function that calls these functions is compiled.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # Changes a copy, because all compilers of the process share one target context, and the
        # program's own functions must keep numba's code generator.
        self.state.targetctx = copy.copy(self.state.targetctx)
        use_code_generator(self.state.targetctx, emission())

    def define_pipelines(self) -> list[Any]:
        """Returns the numba passes that these functions need."""
        made = DefaultPassBuilder.define_nopython_pipeline(self.state)
        made.passes = [(each, reason) for each, reason in made.passes if each._name not in _UNUSED]
        made.finalize()
        return [made]


def own_function(**options: Any) -> Any:
    """Decorates a function that only compiled code calls; `options` go to `numba.njit`."""
    wrappers = {'no_cpython_wrapper': True, 'no_cfunc_wrapper': True}
    decorate = numba.njit(nogil=True, pipeline_class=_Compiler, **wrappers, **options)
    return lambda function: without_literals(decorate(function))
