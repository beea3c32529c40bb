"""System calls of the compiled loop: clock, waiting, waking another thread."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ..foreign.numba.numba_internals import cgutils
from ..foreign.numba.numba_objects import Context, Signature, Typed, Typing, Values

_CLOCK_MONOTONIC = 1
_POLLIN = 1
_I32, _I64 = ir.IntType(32), ir.IntType(64)
_SECOND_NS = _I64(10**9)
# `struct timespec` and `struct pollfd` are the same on x86-64 and aarch64; a test compares them.
_TIMESPEC = ir.LiteralStructType([_I64, _I64])
_POLLFD = ir.LiteralStructType([_I32, ir.IntType(16), ir.IntType(16)])
_BYTES = ir.IntType(8).as_pointer()


def call(builder: ir.IRBuilder, name: str, result: ir.Type, *args: ir.Value) -> ir.Value:
    """Emits a call to a C function of the process by its symbol."""
    signature = ir.FunctionType(result, [value.type for value in args])
    return builder.call(cgutils.get_or_insert_function(builder.module, signature, name), args)


@intrinsic
def monotonic_ns(typing: Typing) -> Typed:
    """Returns CLOCK_MONOTONIC in nanoseconds, as `time.monotonic_ns()` does."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        spec = cgutils.alloca_once(builder, _TIMESPEC)
        call(builder, 'clock_gettime', _I32, _I32(_CLOCK_MONOTONIC), spec)
        seconds = builder.load(cgutils.gep_inbounds(builder, spec, 0, 0))
        nanoseconds = builder.load(cgutils.gep_inbounds(builder, spec, 0, 1))
        return builder.add(builder.mul(seconds, _SECOND_NS), nanoseconds)

    return types.int64(), emit


@intrinsic
def wait(typing: Typing, descriptor: types.Type, timeout_ns: types.Type) -> Typed:
    """Sleeps until the eventfd is signalled or the timeout expires; clears the signal."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        descriptor = builder.trunc(args[0], _I32)
        poll = cgutils.alloca_once(builder, _POLLFD)
        builder.store(descriptor, cgutils.gep_inbounds(builder, poll, 0, 0))
        builder.store(ir.IntType(16)(_POLLIN), cgutils.gep_inbounds(builder, poll, 0, 1))
        spec = cgutils.alloca_once(builder, _TIMESPEC)
        for index, part in enumerate((builder.sdiv, builder.srem)):
            builder.store(part(args[1], _SECOND_NS), cgutils.gep_inbounds(builder, spec, 0, index))
        null = ir.Constant(_BYTES, None)
        # `ppoll` instead of `poll`, whose timeout has a resolution of 1 ms.
        ready = call(builder, 'ppoll', _I32, poll, _I64(1), spec, null)
        # Reads, and thereby clears the signal, only if the eventfd is signalled. A Unix signal
        # ends the wait early, and the caller checks again.
        with builder.if_then(builder.icmp_signed('>', ready, _I32(0))):
            counter = cgutils.alloca_once(builder, _I64)
            call(builder, 'read', _I64, descriptor, counter, _I64(8))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), emit


@intrinsic
def signal(typing: Typing, descriptor: types.Type) -> Typed:
    """Signals an eventfd."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        one = cgutils.alloca_once_value(builder, _I64(1))
        call(builder, 'write', _I64, builder.trunc(args[0], _I32), one, _I64(8))
        return context.get_dummy_value()

    return types.void(types.int64), emit


@intrinsic
def call_at(
    typing: Typing,
    function: types.Type,
    a: types.Type,
    b: types.Type,
    c: types.Type,
    d: types.Type,
) -> Typed:
    """Calls the C function at an address with up to four pointers; returns its int result."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        signature = ir.FunctionType(_I32, [_BYTES] * 4)
        callee = builder.inttoptr(args[0], signature.as_pointer())
        pointers = [builder.inttoptr(value, _BYTES) for value in args[1:]]
        return builder.call(callee, pointers)

    return types.int32(*[types.int64] * 5), emit


@intrinsic
def compare_exchange(
    typing: Typing, address: types.Type, before: types.Type, after: types.Type
) -> Typed:
    """Atomically replaces `before` at an address by `after`; returns whether it did so."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        place = builder.inttoptr(args[0], _I64.as_pointer())
        found = builder.cmpxchg(place, args[1], args[2], 'seq_cst', 'seq_cst')
        return builder.extract_value(found, 1)

    return types.boolean(*[types.int64] * 3), emit


@intrinsic
def copy_memory(typing: Typing, to: types.Type, source: types.Type, size: types.Type) -> Typed:
    """Copies `size` bytes from one address to another."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        places = [builder.inttoptr(value, _BYTES) for value in args[:2]]
        call(builder, 'memcpy', _BYTES, *places, args[2])
        return context.get_dummy_value()

    return types.void(*[types.int64] * 3), emit


@intrinsic
def acquire(typing: Typing) -> Typed:
    """Makes later reads see the other thread's writes from before its `release`.

    Call this after reading the number that the other thread wrote after `release`.
    """

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        builder.fence('acquire')
        return context.get_dummy_value()

    return types.void(), emit


@intrinsic
def release(typing: Typing) -> Typed:
    """Makes all earlier writes visible to other threads before any later write.

    Later reads may still happen before the writes are visible. A `fence`, which takes much longer,
    prevents this too.
    """

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        builder.fence('release')
        return context.get_dummy_value()

    return types.void(), emit


@intrinsic
def fence(typing: Typing) -> Typed:
    """Makes all earlier writes visible to other threads before any later read or write."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        builder.fence('seq_cst')
        return context.get_dummy_value()

    return types.void(), emit


@intrinsic
def lock_mutex(typing: Typing, mutex: types.Type) -> Typed:
    """Locks the pthread mutex at an address."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        call(builder, 'pthread_mutex_lock', _I32, builder.inttoptr(args[0], _BYTES))
        return context.get_dummy_value()

    return types.void(types.int64), emit


@intrinsic
def unlock_mutex(typing: Typing, mutex: types.Type) -> Typed:
    """Unlocks the pthread mutex at an address."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        call(builder, 'pthread_mutex_unlock', _I32, builder.inttoptr(args[0], _BYTES))
        return context.get_dummy_value()

    return types.void(types.int64), emit
