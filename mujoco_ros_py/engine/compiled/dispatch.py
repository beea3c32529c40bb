"""Compiled: calls the callbacks in a table, from the physics loop and from MuJoCo's callbacks."""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ..foreign.numba.numba_internals import cgutils, excinfo_ptr_t
from ..foreign.numba.numba_objects import Context, Signature, Status, Typed, Typing, Values
from ..records import CALLBACK, TABLE
from .addresses import array_at, record_at
from .guarded_call import set_log_handler
from .own_functions import own_function
from .system import monotonic_ns

_SMOOTHING = 0.05
"""The weight of the latest call in the moving average of a callback's duration."""

_BYTES = ir.IntType(8).as_pointer()
_I32, _I64 = ir.IntType(32), ir.IntType(64)
_RESULTS = [_BYTES.as_pointer(), excinfo_ptr_t.as_pointer()]
"""The first arguments of numba's calling convention: the addresses of the result and of the
exception."""


@intrinsic
def function_of(typing: Typing, record: types.Type) -> Typed:
    """Returns the address in the field `function`, which any thread may set to 0 at any time.

    The field is read only once, so the caller calls the same address that it compared with 0.
    """

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        place = cgutils.pointer_add(builder, args[0], record.offset('function'), _I64.as_pointer())
        return builder.load_atomic(place, 'monotonic', 8)

    return types.int64(record), emit


@intrinsic
def _invoke(
    typing: Typing,
    function: types.Type,
    state: types.Type,
    model: types.Type,
    data: types.Type,
    reporter: types.Type,
    index: types.Type,
) -> Typed:
    """Calls `f(state, model, data)`; passes an exception to the reporter and continues."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        function, state, model, data, reporter, index = args
        _call(context, builder, function, [state, model, data, model], reporter, index)
        return context.get_dummy_value()

    return types.void(*[types.int64] * 6), emit


@intrinsic
def invoke_with(
    typing: Typing,
    function: types.Type,
    state: types.Type,
    model: types.Type,
    data: types.Type,
    fourth: types.Type,
    reporter: types.Type,
    index: types.Type,
) -> Typed:
    """Calls `f(state, model, data, fourth)` with addresses; reports an exception."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        function, state, model, data, fourth, reporter, index = args
        _call(context, builder, function, [state, model, data, model, fourth], reporter, index)
        return context.get_dummy_value()

    return types.void(*[types.int64] * 7), emit


@intrinsic
def call_with_message(
    typing: Typing,
    function: types.Type,
    state: types.Type,
    model: types.Type,
    data: types.Type,
    message: types.Type,
    timed: types.Type,
    ros_time: types.Type,
    reporter: types.Type,
) -> Typed:
    """Calls `f(state, model, data, message)` with addresses; returns 0 if `f` returns False.

    If `timed` is 1, the function also takes the ROS time in s. An exception goes to the reporter.

    The function can return None, a boolean, or an optional boolean. numba stores None as nothing
    or as eight zero bytes, a boolean as one byte, and an optional boolean as its value and a byte
    that is 1 if the value is valid. All bits of the result are set before the call. So `f`
    returned False exactly if the first byte is 0 and the second byte is not.
    """

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        function, state, model, data, message, timed, time_s, reporter = args
        arguments = [state, model, data, model, message]
        place = cgutils.alloca_once(builder, _BYTES)
        returned = builder.bitcast(place, _I64.as_pointer())
        builder.store(_I64(-1), returned)
        how = reporter, _I64(0), place
        with builder.if_else(builder.icmp_signed('!=', timed, _I64(0))) as (takes, does_not):
            with takes:
                _call(context, builder, function, arguments, *how, time_s)
            with does_not:
                _call(context, builder, function, arguments, *how)
        stored = builder.load(returned)
        first = builder.icmp_unsigned('==', builder.and_(stored, _I64(0xFF)), _I64(0))
        second = builder.icmp_unsigned('!=', builder.and_(stored, _I64(0xFF00)), _I64(0))
        return builder.zext(builder.not_(builder.and_(first, second)), _I64)

    numbers = [types.int64] * 6
    return types.int64(*numbers, types.float64, types.int64), emit


def _call(
    context: Context,
    builder: ir.IRBuilder,
    function: ir.Value,
    arguments: list[ir.Value],
    reporter: ir.Value,
    index: ir.Value,
    result: ir.Value | None = None,
    *numbers: ir.Value,
) -> None:
    """Emits a call that passes addresses, and then `numbers` as doubles.

    An MjData argument takes two addresses: the model's and its own. `result` is the address where
    the function stores its return value.
    """
    pointers = [builder.inttoptr(argument, _BYTES) for argument in arguments]
    kinds = [*[_BYTES] * len(pointers), *[ir.DoubleType()] * len(numbers)]
    signature = ir.FunctionType(_I32, [*_RESULTS, *kinds])
    entry = builder.inttoptr(function, signature.as_pointer())
    # The convention stores a result even if the function returns None.
    if result is None:
        result = cgutils.alloca_once(builder, _BYTES)
    raised = cgutils.alloca_once(builder, excinfo_ptr_t)
    code = builder.call(entry, [result, raised, *pointers, *numbers])
    # A code other than 0 is not always an error: numba has a code for `None`.
    with builder.if_then(builder.icmp_signed('!=', code, _I32(0)), likely=False):
        status = context.call_conv._get_return_status(builder, code, builder.load(raised))
        with builder.if_then(status.is_error, likely=False):
            report_exception(context, builder, status, reporter, index)


def report_exception(
    context: Context, builder: ir.IRBuilder, status: Status, reporter: ir.Value, index: ir.Value
) -> None:
    """Emits code that creates the Python exception and calls the reporter under the GIL."""
    python = context.get_python_api(builder)
    # The loop runs without the GIL, and MuJoCo also calls from its own threads.
    gil = python.gil_ensure()
    context.call_conv.raise_error(builder, python, status)
    parts = [cgutils.alloca_once_value(builder, ir.Constant(_BYTES, None)) for _ in range(3)]
    kind = ir.FunctionType(ir.VoidType(), [_BYTES.as_pointer()] * 3)
    # Removes the error from the thread's state. Otherwise the next Python code on this thread
    # would raise it.
    for name in ('PyErr_Fetch', 'PyErr_NormalizeException'):
        builder.call(cgutils.get_or_insert_function(builder.module, kind, name), parts)
    kind = ir.FunctionType(_I32, [_BYTES] * 2)
    exception, trace = builder.load(parts[1]), builder.load(parts[2])
    with builder.if_then(cgutils.is_not_null(builder, trace)):
        attach = cgutils.get_or_insert_function(builder.module, kind, 'PyException_SetTraceback')
        builder.call(attach, [exception, trace])
    number = python.long_from_longlong(index)
    callee = builder.inttoptr(reporter, _BYTES)
    answer = python.call_function_objargs(callee, [number, exception])
    with builder.if_then(cgutils.is_null(builder, answer), likely=False):
        # The reporter itself raised. The callers are C code, which cannot handle an exception.
        python.err_write_unraisable(callee)
    for reference in (answer, number, *(builder.load(part) for part in parts)):
        python.decref(reference)
    python.gil_release(gil)


@intrinsic
def call_reporter(typing: Typing, reporter: types.Type, number: types.Type) -> Typed:
    """Calls the reporter with a number and without an exception."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        python = context.get_python_api(builder)
        gil = python.gil_ensure()
        passed, nothing = python.long_from_longlong(args[1]), python.make_none()
        callee = builder.inttoptr(args[0], _BYTES)
        answer = python.call_function_objargs(callee, [passed, nothing])
        with builder.if_then(cgutils.is_null(builder, answer), likely=False):
            python.err_write_unraisable(callee)
        for reference in (answer, passed, nothing):
            python.decref(reference)
        python.gil_release(gil)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), emit


@own_function()
def dispatch(address: int, point: int, last: int, model: int, data: int) -> None:
    """Calls the callbacks of all points from `point` to `last`; the other arguments are addresses.

    Does nothing while a callback of the same points is running: a callback may call `mj_forward`
    on its own data, which reaches the same points again.
    """
    table = record_at(address, TABLE)
    first, end = table.first[point], table.first[last + 1]
    outside, around = table.points, table.running
    if first == end or outside & (1 << point):
        return
    points = outside | (1 << point)
    rows = array_at(table.callbacks, end, CALLBACK)
    for index in range(first, end):
        row = rows[index]
        function = function_of(row)
        if function == 0:
            continue
        table.running = index + 1
        # Set before each call, because a callback that caught a fatal error in a nested point can
        # have left the bit of that point set.
        table.points = points
        if row.python or table.measure:
            _call_with_care(table, row, function, index, model, data)
        else:
            _invoke(function, row.state, model, data, table.reporter, index)
    # Restored instead of set to 0, because this call may be nested in a callback of another point.
    table.running = around
    table.points = outside


@own_function()
def dispatch_with_scene(address: int, point: int, model: int, data: int) -> None:
    """Calls the callbacks of one point, passing the table's scene."""
    table = record_at(address, TABLE)
    first, end = table.first[point], table.first[point + 1]
    rows = array_at(table.callbacks, end, CALLBACK)
    for index in range(first, end):
        row = rows[index]
        function = function_of(row)
        if function == 0:
            continue
        invoke_with(function, row.state, model, data, table.scene, table.reporter, index)


@own_function()
def _call_with_care(
    table: np.record, row: np.record, function: int, index: int, model: int, data: int
) -> None:
    """Calls a callback that must be timed, or that calls into Python.

    A callback in Python runs without our log handler.
    """
    # The bindings of MuJoCo set their own handler around each call, and turn a fatal error into a
    # Python exception. Our handler would jump over Python's frames.
    handler = set_log_handler(0) if row.python else 0
    # The difference of two readings is the cost of reading the clock, and is subtracted below.
    before = monotonic_ns()
    start = monotonic_ns()
    _invoke(function, row.state, model, data, table.reporter, index)
    if table.measure:
        _note_cost(row, monotonic_ns() - start - (start - before))
    if row.python:
        set_log_handler(handler)


@own_function()
def _note_cost(row: np.record, cost_ns: int) -> None:
    weight = _SMOOTHING if row.calls else 1.0
    row.cost_ns += weight * (max(0, cost_ns) - row.cost_ns)
    row.calls += 1
