"""Compiled: the functions that MuJoCo calls for signed distance fields written in Python.

While MuJoCo creates a mesh from a field, the plugin has no instance yet, and MuJoCo passes only
the plugin's attributes. The bits of the first attribute are then the address of an INSTANCE record
in which only the shape is set.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ..engine_plugin_records import INSTANCE, Function
from ..foreign.numba.numba_objects import Context, Signature, Typed, Typing, Values
from .addresses import array_at
from .engine_plugin_calls import LIMIT, block_at, block_of, load, report_divergence, run

_DISTANCE, _GRADIENT = int(Function.DISTANCE), int(Function.GRADIENT)
_I64 = ir.IntType(64)


def plugin_sdf_distance(point: int, data: int, instance: int) -> Any:
    """Returns the signed distance (m) at a point in the shape's frame, for collision detection.

    The result is not checked, because a check would take measurable time; the gradient is checked.
    """
    return _distance(point, block_of(data, instance))


def plugin_sdf_gradient(gradient: int, point: int, data: int, instance: int) -> int:
    """Computes the gradient of the distance at a point, for collision detection."""
    block = block_of(data, instance)
    run(_GRADIENT, (gradient, point), block)
    for value in array_at(gradient, 3, np.float64):
        if not abs(value) <= LIMIT:
            report_divergence(block, _GRADIENT)
            break
    return 0


def plugin_sdf_staticdistance(point: int, attributes: int) -> Any:
    """Returns the signed distance (m) at a point, while MuJoCo creates a mesh of the shape."""
    block = array_at(attributes, 1, np.int64)[0]
    distance = _distance(point, block)
    if not abs(distance) <= LIMIT:
        report_divergence(block, _DISTANCE)
    return distance


def plugin_sdf_aabb(box: int, attributes: int) -> int:
    """Writes the bounding box of the mesh: its centre and half sizes, in m."""
    block = array_at(attributes, 1, np.int64)[0]
    bounds = array_at(block + block_at(block).shape, 6, np.float64)
    array_at(box, 6, np.float64)[:] = bounds
    return 0


@intrinsic
def _distance(typing: Typing, point: types.Type, block: types.Type) -> Typed:
    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        functions = INSTANCE.fields['functions'][1]  # type: ignore[index]
        function = load(builder, args[1], _I64(functions + 8 * int(Function.DISTANCE)))
        kind = ir.FunctionType(ir.DoubleType(), [_I64, _I64])
        return builder.call(builder.inttoptr(function, kind.as_pointer()), args)

    return types.float64(types.int64, types.int64), emit
