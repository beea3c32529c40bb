"""Compiles functions once for a type of number, and not for each constant that they are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numba.types import unliteral

from ..foreign.numba.numba_internals import errors
from ..foreign.numba.numba_objects import NumbaFunction


def without_literals(dispatcher: NumbaFunction) -> Any:
    """Has a function of numba take constants as the numbers that they are; returns it.

    Numba compiles `f(x, 1)` and `f(x, 2)` anew. That is done only if the function cannot be
    compiled otherwise, as it makes a tuple of so many elements, say.
    """
    with_literals = dispatcher.get_call_template

    def get_call_template(args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
        plain = tuple(map(unliteral, args)), {name: unliteral(kws[name]) for name in kws}
        # First without constants, which nearly all functions can do.
        try:
            return with_literals(*plain)
        except errors.NumbaError:  # also for a recursion with a constant
            if plain == (tuple(args), dict(kws)):
                raise
            return with_literals(args, kws)

    dispatcher.get_call_template = get_call_template
    return dispatcher
