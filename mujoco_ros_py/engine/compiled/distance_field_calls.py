"""Compiled: what MuJoCo calls of signed distance fields that are written in Python.

While a mesh is made of one there is no instance yet: the first of its attributes is, bit for bit,
the address of an INSTANCE that has the shape alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic

from ..records import INSTANCE, Function
from .dispatch import pointer_to
from .engine_plugin_calls import LIMIT, block_at, block_of, load, run, tell_divergence

_DISTANCE, _GRADIENT = int(Function.DISTANCE), int(Function.GRADIENT)
_I64 = ir.IntType(64)


def plugin_sdf_distance(point: int, data: int, instance: int) -> Any:
    """Called when a collision is looked for; the point is in the frame of the shape.

    Called so often that even a look at the result would be seen; the gradient has one.
    """
    return _distance(point, block_of(data, instance))


def plugin_sdf_gradient(gradient: int, point: int, data: int, instance: int) -> int:
    """Called when the gradient is wanted, while a collision is looked for."""
    block = block_of(data, instance)
    run(_GRADIENT, (gradient, point), block)
    for value in carray(pointer_to(gradient), 3, np.float64):
        if not abs(value) <= LIMIT:
            tell_divergence(block, _GRADIENT)
            break
    return 0


def plugin_sdf_staticdistance(point: int, attributes: int) -> Any:
    """Called when a mesh is made of the shape."""
    block = carray(pointer_to(attributes), 1, np.int64)[0]
    distance = _distance(point, block)
    if not abs(distance) <= LIMIT:
        tell_divergence(block, _DISTANCE)
    return distance


def plugin_sdf_aabb(box: int, attributes: int) -> int:
    """The box in which the mesh is made: centre and half sizes."""
    block = carray(pointer_to(attributes), 1, np.int64)[0]
    bounds = carray(pointer_to(block + block_at(block).shape), 6, np.float64)
    carray(pointer_to(box), 6, np.float64)[:] = bounds
    return 0


@intrinsic
def _distance(typing: Any, point: Any, block: Any) -> Any:
    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        functions = INSTANCE.fields['functions'][1]  # type: ignore[index]
        function = load(builder, args[1], _I64(functions + 8 * int(Function.DISTANCE)))
        kind = ir.FunctionType(ir.DoubleType(), [_I64, _I64])
        return builder.call(builder.inttoptr(function, kind.as_pointer()), args)

    return types.float64(types.int64, types.int64), emit
