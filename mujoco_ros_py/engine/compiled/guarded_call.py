"""Compiled: calls libmujoco and survives its fatal errors; see `engine.guard_block`."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ...mujoco_internals import LOG_ERROR, LOG_SUBJECT, LOG_WARNING, SET_LOG_HANDLER
from ..foreign.numba.numba_objects import Context, Signature, Typed, Typing, Values
from ..records import GUARD, MESSAGE, WARNINGS
from ..symbols import GUARD_KEY
from .system import call

_I32, _I64 = ir.IntType(32), ir.IntType(64)
_BYTES = ir.IntType(8).as_pointer()
_HANDLER_TYPE = ir.FunctionType(ir.VoidType(), [_BYTES])
_TARGET_TYPE = ir.FunctionType(ir.VoidType(), [_BYTES] * 3)


@intrinsic
def guarded_call(
    typing: Typing,
    guard: types.Type,
    function: types.Type,
    a: types.Type,
    b: types.Type,
    c: types.Type,
) -> Typed:
    """Calls a C function of up to three pointers; returns 0, or 1 after a fatal error.

    All arguments are addresses; no other thread may use the GUARD block at `guard`. A function
    with fewer parameters ignores the rest, as the C calling convention allows.
    """

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        guarded = _guarded_function(context, builder.module)
        return builder.call(guarded, [builder.inttoptr(value, _BYTES) for value in args])

    return types.int32(*[types.int64] * 5), emit


@intrinsic
def set_log_handler(typing: Typing, handler: types.Type) -> Typed:
    """Sets the calling thread's log handler (0 for none), and returns the previous one."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        given = builder.inttoptr(args[0], _BYTES)
        previous = call(builder, SET_LOG_HANDLER, _BYTES, given)
        return builder.ptrtoint(previous, _I64)

    return types.int64(types.int64), emit


@intrinsic
def is_guarded(typing: Typing) -> Typed:
    """Returns whether the calling thread is inside a guarded call."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        guard = call(builder, 'pthread_getspecific', _BYTES, _guard_key(context, builder))
        return builder.icmp_unsigned('!=', builder.ptrtoint(guard, _I64), _I64(0))

    return types.boolean(), emit


def _guard_key(context: Context, builder: ir.IRBuilder) -> ir.Value:
    return builder.load(context.get_c_value(builder, _I32, GUARD_KEY))


def _place(builder: ir.IRBuilder, guard: ir.Value, field: str, typ: types.Type) -> ir.Value:
    offset = _I64(GUARD.fields[field][1])  # type: ignore[index]
    return builder.bitcast(builder.gep(guard, [offset]), typ)


def _guarded_function(context: Context, module: ir.Module) -> ir.Function:
    """Emits `int f(guard, function, a, b, c)` as a separate function, as setjmp requires."""
    symbol = 'mujoco_ros_py.guarded'
    if symbol in module.globals:
        return module.globals[symbol]
    function = ir.Function(module, ir.FunctionType(_I32, [_BYTES] * 5), symbol)
    function.linkage = 'internal'
    # If this function were inlined, setjmp would save the frame of its caller, which LLVM
    # optimizes without knowing about jumps.
    function.attributes.add('noinline')
    builder = ir.IRBuilder(function.append_basic_block())
    guard, target, *pointers = function.args
    target = builder.bitcast(target, _TARGET_TYPE.as_pointer())
    # The handler only receives the message, and finds its thread's guard through this pthread key.
    key = _guard_key(context, builder)
    # A guarded function may make another guarded call on the same thread.
    outer = call(builder, 'pthread_getspecific', _BYTES, key)
    builder.store(outer, _place(builder, guard, 'outer', _BYTES.as_pointer()))
    call(builder, 'pthread_setspecific', _I32, key, guard)
    handler = builder.bitcast(_log_handler(context, module), _BYTES)
    previous = call(builder, SET_LOG_HANDLER, _BYTES, handler)
    # The bindings may have set a handler around this call, which is restored afterwards.
    builder.store(previous, _place(builder, guard, 'previous', _BYTES.as_pointer()))
    # `_setjmp`, because glibc's `setjmp` also saves the signal mask, which is a system call.
    mark = call(builder, '_setjmp', _I32, _place(builder, guard, 'jump', _BYTES))
    # Without this attribute, LLVM may keep values in registers or reuse stack slots across the
    # second return.
    module.globals['_setjmp'].attributes.add('returns_twice')
    with builder.if_then(builder.icmp_signed('==', mark, _I32(0)), likely=True):
        builder.call(target, pointers)
    # Loaded from the block: after the jump, registers hold libmujoco's values.
    previous = builder.load(_place(builder, guard, 'previous', _BYTES.as_pointer()))
    call(builder, SET_LOG_HANDLER, _BYTES, previous)
    outer = builder.load(_place(builder, guard, 'outer', _BYTES.as_pointer()))
    call(builder, 'pthread_setspecific', _I32, key, outer)
    builder.ret(mark)
    return function


def _log_handler(context: Context, module: ir.Module) -> ir.Function:
    """Emits `void f(const mjLogMessage*)`, which stores the message and jumps after an error."""
    symbol = 'mujoco_ros_py.log_handler'
    if symbol in module.globals:
        return module.globals[symbol]
    function = ir.Function(module, _HANDLER_TYPE, symbol)
    function.linkage = 'internal'
    builder = ir.IRBuilder(function.append_basic_block())
    (message,) = function.args
    guard = call(builder, 'pthread_getspecific', _BYTES, _guard_key(context, builder))
    level = builder.load(builder.bitcast(message, _I32.as_pointer()))
    # `subject` is a fixed-size array inside the message. The whole array is copied, including the
    # bytes after the text.
    subject = builder.gep(message, [_I64(LOG_SUBJECT)])
    with builder.if_then(builder.icmp_signed('==', level, _I32(LOG_ERROR))):
        place = _place(builder, guard, 'error', _BYTES)
        call(builder, 'memcpy', _BYTES, place, subject, _I64(MESSAGE))
        call(builder, 'longjmp', ir.VoidType(), _place(builder, guard, 'jump', _BYTES), _I32(1))
    with builder.if_then(builder.icmp_signed('==', level, _I32(LOG_WARNING))):
        counter = _place(builder, guard, 'warnings', _I64.as_pointer())
        count = builder.load(counter)
        # The newest warnings overwrite the oldest: one step may warn thousands of times.
        offset = builder.mul(builder.and_(count, _I64(WARNINGS - 1)), _I64(MESSAGE))
        place = builder.gep(_place(builder, guard, 'warning', _BYTES), [offset])
        call(builder, 'memcpy', _BYTES, place, subject, _I64(MESSAGE))
        builder.store(builder.add(count, _I64(1)), counter)
    builder.ret_void()
    return function
