"""Compiled: calls the callbacks of a table, from the loop and from MuJoCo's callback points."""

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
"""The weight of the newest timed call in the mean duration."""

_BYTES = ir.IntType(8).as_pointer()
_I32, _I64 = ir.IntType(32), ir.IntType(64)
_RESULTS = [_BYTES.as_pointer(), excinfo_ptr_t.as_pointer()]
"""The first arguments in numba's calling convention: the addresses of the result and of the
exception."""


@intrinsic
def function_of(typing: Typing, record: types.Type) -> Typed:
    """Returns the address in the field `function`, which another thread may set to 0 at any time.

    It is loaded once, so that what is called is what was compared with 0.
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
    """Calls `f(state, model, data)`; an exception goes to the reporter, and the caller goes on."""

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
    """Calls `f(state, model, data, fourth)`, of addresses; an exception goes to the reporter."""

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
    """Calls `f(state, model, data, message)`, of addresses; returns 0 if it returned False.

    A function that is `timed` (1, not 0) takes the ROS time in s too. An exception goes to the
    reporter. What the function returns may be nothing, a boolean, or
    either of them, which numba stores as no byte or eight zeros, as one byte, and as a byte with
    another one that tells whether it counts. The place for it is filled with ones before, so that
    False is a first byte of 0 with a second one that is not 0.
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
    """Emits a call of a function of addresses; mjData is two of them: its own and the model's.

    `result` is the place for what it returns. `numbers` are doubles that it takes after these.
    """
    pointers = [builder.inttoptr(argument, _BYTES) for argument in arguments]
    kinds = [*[_BYTES] * len(pointers), *[ir.DoubleType()] * len(numbers)]
    signature = ir.FunctionType(_I32, [*_RESULTS, *kinds])
    entry = builder.inttoptr(function, signature.as_pointer())
    # The convention stores a result also where a function returns None.
    if result is None:
        result = cgutils.alloca_once(builder, _BYTES)
    raised = cgutils.alloca_once(builder, excinfo_ptr_t)
    code = builder.call(entry, [result, raised, *pointers, *numbers])
    # A code that is not 0 need not be an error: numba has one for `None`.
    with builder.if_then(builder.icmp_signed('!=', code, _I32(0)), likely=False):
        status = context.call_conv._get_return_status(builder, code, builder.load(raised))
        with builder.if_then(status.is_error, likely=False):
            report_exception(context, builder, status, reporter, index)


def report_exception(
    context: Context, builder: ir.IRBuilder, status: Status, reporter: ir.Value, index: ir.Value
) -> None:
    """Emits code that makes the Python exception and calls the reporter with it, under the GIL."""
    python = context.get_python_api(builder)
    # The loop runs without the GIL, and MuJoCo calls from threads of its own, too.
    gil = python.gil_ensure()
    context.call_conv.raise_error(builder, python, status)
    parts = [cgutils.alloca_once_value(builder, ir.Constant(_BYTES, None)) for _ in range(3)]
    kind = ir.FunctionType(ir.VoidType(), [_BYTES.as_pointer()] * 3)
    # The error is taken out of the thread's state as an object. Left there, it would be raised in
    # whatever Python the thread runs next.
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
        # The callers are in C, which cannot catch an exception of the reporter.
        python.err_write_unraisable(callee)
    for reference in (answer, number, *(builder.load(part) for part in parts)):
        python.decref(reference)
    python.gil_release(gil)


@intrinsic
def call_reporter(typing: Typing, reporter: types.Type, index: types.Type) -> Typed:
    """Calls the reporter with an index and without an exception."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        python = context.get_python_api(builder)
        gil = python.gil_ensure()
        number, nothing = python.long_from_longlong(args[1]), python.make_none()
        callee = builder.inttoptr(args[0], _BYTES)
        answer = python.call_function_objargs(callee, [number, nothing])
        with builder.if_then(cgutils.is_null(builder, answer), likely=False):
            python.err_write_unraisable(callee)
        for reference in (answer, number, nothing):
            python.decref(reference)
        python.gil_release(gil)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), emit


@own_function()
def dispatch(address: int, point: int, model: int, data: int) -> None:
    """Calls the callbacks of one point; all arguments but the point are addresses.

    It calls none while one of them is running, as a callback may call `mj_forward` on its own
    data.
    """
    table = record_at(address, TABLE)
    first, end = table.first[point], table.first[point + 1]
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
        table.points = points  # a fatal error that a callback caught has skipped others
        if row.python or table.measure:
            _call_with_care(table, row, function, index, model, data)
        else:
            _invoke(function, row.state, model, data, table.reporter, index)
    # Not 0: a callback of another point may be running around this one.
    table.running = around
    table.points = outside


@own_function()
def dispatch_with_scene(address: int, point: int, model: int, data: int) -> None:
    """Calls the callbacks of one point that also take the table's scene."""
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
    """Makes a call that is timed or leads to Python, whose frames no fatal error may skip."""
    # Inside of Python, the bindings set a handler of their own around each call, which makes a
    # fatal error an exception there. Ours would jump over Python's frames.
    handler = set_log_handler(0) if row.python else 0
    # Two readings: their difference is the time of a reading, which is taken off.
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
