"""Calls of what `numba.vectorize` and `numba.guvectorize` decorate, as of any other function.

Numba compiles these functions by themselves, so that `boundscheck` does not reach them, and drops
their exceptions. Here they are compiled again for their caller, which passes the exceptions on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..foreign.numba.numba_internals import DUFunc, UfuncBase, npyimpl
from .index_checks import KnowsBounds
from .pipeline import compile_for_caller, compiles_for_plugin

_generate_of_numba = npyimpl._Kernel.generate


def _compiled_for_caller(find: Callable[..., Any]) -> Callable[..., tuple[Any, Any]]:
    """Returns a method of a ufunc that finds signature and code for the types of its elements."""

    def found(ufunc: Any, types: Any) -> tuple[Any, Any]:
        signature, compiled = find(ufunc, types)
        if compiled is not None and compiles_for_plugin():
            compiled = compile_for_caller(ufunc._dispatcher, signature)
        return signature, compiled

    return found


def _generate(kernel: Any, *args: Any) -> Any:
    """Emits the call for one element, or for one row of elements."""
    context, builder = kernel.context, kernel.builder
    own: bool = isinstance(context, KnowsBounds)  # type() would not narrow the type for mypy
    if not own:
        return _generate_of_numba(kernel, *args)
    inner, outer = kernel.inner_sig, kernel.outer_sig
    values = [kernel.cast(*each) for each in zip(args, outer.args, inner.args, strict=True)]
    result = context.call_internal(builder, kernel.cres.fndesc, inner, values)
    context.add_linking_libs((kernel.cres.library,))
    return kernel.cast(result, inner.return_type, outer.return_type)


for _kind in (UfuncBase, DUFunc):
    _kind.find_ewise_function = _compiled_for_caller(_kind.find_ewise_function)
npyimpl._Kernel.generate = _generate
