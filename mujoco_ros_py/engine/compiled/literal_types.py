"""Compiles functions once per number type instead of once per constant argument."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numba.types import unliteral

from ..foreign.numba.numba_internals import errors
from ..foreign.numba.numba_objects import NumbaFunction


def without_literals(dispatcher: NumbaFunction) -> Any:
    """Makes a numba function treat constant arguments as ordinary numbers; returns it.

    numba by itself compiles `f(x, 1)` and `f(x, 2)` separately. After this call it only does so if
    the function cannot be compiled otherwise, for example because a constant is the length of a
    tuple.
    """
    with_literals = dispatcher.get_call_template

    def get_call_template(args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
        plain = tuple(map(unliteral, args)), {name: unliteral(kws[name]) for name in kws}
        # Tries ordinary numbers first, which works for nearly all functions.
        try:
            return with_literals(*plain)
        except errors.NumbaError:  # also raised if a recursive call has a constant argument
            if plain == (tuple(args), dict(kws)):
                raise
            return with_literals(args, kws)

    dispatcher.get_call_template = get_call_template
    return dispatcher
