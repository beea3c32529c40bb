"""Compiled: turns the functions of engine plugins into C functions that take addresses.

The last address points to the INSTANCE. The author's function is inlined into the C function. If
it raises, the C function passes the exception to the `reporter` of the INSTANCE.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types

from ...errors import PluginError
from ..engine_plugin_records import INSTANCE, RECORD_OFFSET, SDF, Function
from ..foreign.llvmlite_internals import called_outside
from ..foreign.numba.numba_code import final_module
from ..foreign.numba.numba_internals import cgutils, make_array, populate_array
from ..foreign.numba.numba_objects import CodeLibrary, CompileResult, Context, Status
from ..stack_arrays import Numbers
from .addresses import array_at, room_for_point
from .c_functions import c_function
from .dispatch import report_exception
from .emission import complete
from .pipeline import compile_function
from .struct_types import Data, Model, Option, Scene

_NUMBERS = types.Array(types.float64, 1, 'C')
_ARGUMENTS: dict[Function, tuple[types.Type, ...]] = {
    Function.RESET: (_NUMBERS,),
    Function.VISUALIZE: (Model, Data, Option, Scene),
    Function.DISTANCE: (_NUMBERS,),
    Function.GRADIENT: (_NUMBERS, _NUMBERS),
}
"""The types of the arguments that follow the author's record; functions not listed take model and
data."""
_COUNTS = {Function.VISUALIZE: 5, Function.DISTANCE: 2}
"""The number of addresses that functions take; functions not listed take 3."""
_OPTIONS = {'forceinline': True, 'no_cpython_wrapper': True, 'no_cfunc_wrapper': True}
_FAR = 1e10
"""The distance, in m, that is returned if the plugin's function raises."""
_HARMLESS = 'llvm.', 'mju_', 'NRT_', 'numba_'
"""Prefixes of functions that call no other code: LLVM's, MuJoCo's and numba's."""
_MATHEMATICS = frozenset(dir(math))
"""The names of Python's math functions. The C library uses the same names."""
_LEADS_ELSEWHERE = 'numba_gil_ensure', 'numba_parallel_for'
"""numba's functions that call Python, or run code on other threads."""
_BYTES, _I64, _DOUBLE = ir.IntType(8).as_pointer(), ir.IntType(64), ir.DoubleType()


def make_entry(
    which: Function,
    function: Callable[..., Any],
    record: np.dtype[np.void],
    *,
    boundscheck: bool,
    portable: bool = True,
) -> tuple[CodeLibrary, str]:
    """Returns library and symbol of the C function. Raises PluginError if it does not compile.

    A `portable` library contains object code and is not loaded.
    """
    signature = (numba.from_dtype(record), *_ARGUMENTS.get(which, (Model, Data)))
    options = {**_OPTIONS, 'boundscheck': boundscheck, 'portable': portable}
    compiled = compile_function(function, signature, **options)
    _check_result(which, function, compiled.signature.return_type)
    count = _COUNTS.get(which, 3)
    # Only functions that may lead MuJoCo to call them again need a check for recursion. Functions
    # of a shape have no model to call MuJoCo with.
    is_guarded = which not in SDF and may_come_back(compiled)

    def emit(context: Context, builder: ir.IRBuilder, addresses: list[ir.Value]) -> ir.Value:
        *values, block = addresses
        outside = _enter(builder, block, which) if is_guarded else None
        record = _record(context, builder, block, compiled.signature.args[0], which)
        values = [record, *_values(context, builder, which, values)]
        status, value = context.call_internal_no_propagate(
            builder, compiled.fndesc, compiled.signature, values
        )
        with builder.if_then(status.is_error, likely=False):
            _report(context, builder, status, block, which)
        if is_guarded:
            builder.store(outside, _place(builder, block, 'running'))
        if which is not Function.DISTANCE:
            return None
        number = context.cast(builder, value, compiled.signature.return_type, types.float64)
        # After an exception the result is undefined; a large distance means no contact.
        return builder.select(status.is_error, _DOUBLE(_FAR), number)

    result = _DOUBLE if which is Function.DISTANCE else ir.VoidType()
    return c_function(compiled, result, count, emit)


def may_come_back(compiled: CompileResult) -> bool:
    """Returns whether the optimized code calls MuJoCo's pipeline, Python, or unknown functions."""
    complete(compiled.library)
    module, name = final_module(compiled.library), compiled.fndesc.llvm_func_name
    return not all(map(_is_harmless, called_outside(module, name)))


def _is_harmless(name: str) -> bool:
    known = name.startswith(_HARMLESS) or name in _MATHEMATICS
    # An unknown function may call a MuJoCo pass, which would call this function again.
    return known and name not in _LEADS_ELSEWHERE


def differences(distance: Callable[..., Any]) -> Callable[..., None]:
    """Returns a function that computes the gradient of a distance by central differences.

    The step size, about 6e-6 m, gives the smallest error for shapes about a metre in size.
    """
    inner = distance if hasattr(distance, 'py_func') else numba.njit(nogil=True)(distance)
    # Rounding adds eps / step to the error of a central difference, curvature adds step^2. The sum
    # is smallest at the cube root of eps.
    step = np.finfo(float).eps ** (1 / 3)

    def gradient(shape: np.record, point: Numbers, gradient: Numbers) -> None:
        # Uses the stack, because a NumPy array would be allocated for each contact.
        moved = array_at(room_for_point(), 3, np.float64)
        moved[:] = point
        for axis in range(3):
            moved[axis] = point[axis] + step
            above = inner(shape, moved)
            moved[axis] = point[axis] - step
            gradient[axis] = (above - inner(shape, moved)) / (2 * step)
            moved[axis] = point[axis]

    return gradient


def _check_result(which: Function, function: Callable[..., Any], came: types.Type) -> None:
    number = which is Function.DISTANCE
    if came != types.none if not number else came not in types.number_domain:
        wanted = 'a number' if number else 'nothing'
        raise PluginError(f'{function.__qualname__} must return {wanted}; it returns {came}')


def _enter(builder: ir.IRBuilder, block: ir.Value, which: Function) -> ir.Value:
    """Emits a return if the function is already running; returns the previous flags to restore.

    A function that calls `mj_forward` on its own data is called again by MuJoCo.
    """
    outside, bit = _field(builder, block, 'running'), _I64(1 << int(which))
    runs = builder.icmp_unsigned('!=', builder.and_(outside, bit), _I64(0))
    with builder.if_then(runs, likely=False):
        builder.ret_void()
    builder.store(builder.or_(outside, bit), _place(builder, block, 'running'))
    return outside


def _record(
    context: Context, builder: ir.IRBuilder, block: ir.Value, typ: types.Type, which: Function
) -> ir.Value:
    offset = _field(builder, block, 'shape') if which in SDF else _I64(RECORD_OFFSET)
    return builder.inttoptr(builder.add(block, offset), context.get_value_type(typ))


def _values(
    context: Context, builder: ir.IRBuilder, which: Function, addresses: list[ir.Value]
) -> list[ir.Value]:
    """Emits the conversion of MuJoCo's arguments to the arguments of the author's function."""
    pointers = [builder.inttoptr(address, _BYTES) for address in addresses]
    if which is Function.DISTANCE:
        return [_array(context, builder, pointers[0], _I64(3))]
    if which is Function.GRADIENT:
        return [_array(context, builder, pointer, _I64(3)) for pointer in reversed(pointers)]
    if which is Function.RESET:
        return [_array(context, builder, pointers[0], addresses[1])]
    data = cgutils.create_struct_proxy(Data)(context, builder)
    data.model, data.pointer = pointers[:2]
    return [pointers[0], data._getvalue(), *pointers[2:]]


def _array(
    context: Context, builder: ir.IRBuilder, pointer: ir.Value, count: ir.Value
) -> ir.Value:
    array = make_array(_NUMBERS)(context, builder)
    data = builder.bitcast(pointer, array.data.type)
    populate_array(array, data, [count], [_I64(8)], _I64(8), None)
    return array._getvalue()


def _report(
    context: Context, builder: ir.IRBuilder, status: Status, block: ir.Value, which: Function
) -> None:
    first = builder.mul(_field(builder, block, 'number'), _I64(len(Function)))
    index = builder.add(first, _I64(int(which)))
    bits = _field(builder, block, 'reported')
    reported = builder.and_(builder.lshr(bits, _I64(int(which))), _I64(1))
    builder.store(builder.or_(bits, _I64(1 << int(which))), _place(builder, block, 'reported'))
    # The lowest bit of the number that Python receives says whether an exception of this function
    # was already reported.
    index = builder.add(builder.mul(index, _I64(2)), reported)
    report_exception(context, builder, status, _field(builder, block, 'reporter'), index)


def _field(builder: ir.IRBuilder, block: ir.Value, name: str) -> ir.Value:
    return builder.load(_place(builder, block, name))


def _place(builder: ir.IRBuilder, block: ir.Value, name: str) -> ir.Value:
    place = builder.add(block, _I64(INSTANCE.fields[name][1]))  # type: ignore[index]
    return builder.inttoptr(place, _I64.as_pointer())
