"""Compiled: the functions that MuJoCo calls for every engine plugin written in Python.

All instances share these functions. An instance's `plugin_data` points to an INSTANCE, which
contains the plugin's own functions.
"""

from __future__ import annotations

import mujoco
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from ..engine_plugin_records import BLOCK_ALIGNMENT, INSTANCE, SPAN, Capability, Function
from ..foreign.numba.numba_internals import cgutils
from ..foreign.numba.numba_objects import Context, Signature, Typed, Typing, Values
from ..stack_arrays import Numbers
from ..struct_layout import struct_layout
from .addresses import array_at, record_at
from .dispatch import call_reporter
from .own_functions import own_function
from .struct_attributes import data_at, model_at
from .system import call

_ACTUATOR, _SENSOR = int(Capability.ACTUATOR), int(Capability.SENSOR)
_LOWER = 0xFFFFFFFF
_COMPUTE_ACTUATOR, _COMPUTE_SENSOR = int(Function.COMPUTE_ACTUATOR), int(Function.COMPUTE_SENSOR)
_COMPUTE_PASSIVE, _RESET = int(Function.COMPUTE_PASSIVE), int(Function.RESET)
_ADVANCE, _ACT_DOT = int(Function.ADVANCE), int(Function.ACTUATOR_ACT_DOT)
_VISUALIZE = int(Function.VISUALIZE)
_FUNCTIONS = len(Function)
LIMIT = mujoco.mjMAXVAL
_CLAMP_CONTROLS = int(mujoco.mjtDisableBit.mjDSBL_CLAMPCTRL)
_BYTES = ir.IntType(8).as_pointer()
_I64 = ir.IntType(64)


@intrinsic
def _allocate(typing: Typing, size: types.Type) -> Typed:
    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        alignment = _I64(BLOCK_ALIGNMENT)
        return builder.ptrtoint(call(builder, 'aligned_alloc', _BYTES, alignment, args[0]), _I64)

    return types.int64(types.int64), emit


@intrinsic
def _free(typing: Typing, address: types.Type) -> Typed:
    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        call(builder, 'free', ir.VoidType(), builder.inttoptr(args[0], _BYTES))
        return context.get_dummy_value()

    return types.void(types.int64), emit


@intrinsic
def _copy(typing: Typing, to: types.Type, source: types.Type, size: types.Type) -> Typed:
    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        pointers = [builder.inttoptr(arg, _BYTES) for arg in args[:2]]
        call(builder, 'memcpy', _BYTES, *pointers, args[2])
        return context.get_dummy_value()

    return types.void(*[types.int64] * 3), emit


@intrinsic
def block_of(typing: Typing, data: types.Type, instance: types.Type) -> Typed:
    """Returns the address of an instance's INSTANCE; `data` is the address of the mjData."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        data, instance = args
        number = builder.and_(instance, _I64(_LOWER))
        blocks = load(builder, data, _I64(struct_layout('mjData').fields['plugin_data'].offset))
        return load(builder, blocks, builder.mul(number, _I64(8)))

    return types.int64(types.int64, types.int64), emit


@intrinsic
def run(typing: Typing, which: types.Type, arguments: types.Type, block: types.Type) -> Typed:
    """Calls a function of an instance with addresses, if the instance has this function."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        function = load(builder, args[2], builder.mul(args[0], _I64(8)))
        values = [*cgutils.unpack_tuple(builder, args[1], len(arguments)), args[2]]
        with builder.if_then(builder.icmp_unsigned('!=', function, _I64(0))):
            kind = ir.FunctionType(ir.VoidType(), [_I64] * len(values))
            builder.call(builder.inttoptr(function, kind.as_pointer()), values)
        return context.get_dummy_value()

    return types.void(types.int64, arguments, types.int64), emit


def load(builder: ir.IRBuilder, address: ir.Value, offset: ir.Value) -> ir.Value:
    """Emits a load of 8 bytes."""
    place = builder.inttoptr(builder.add(address, offset), _I64.as_pointer())
    return builder.load(place)


# Functions without a decorator are C functions of 64-bit integers. MuJoCo passes 32-bit integers
# in the lower half of a register; the upper half is undefined.


def plugin_destroy(data: int, instance: int) -> int:
    """Frees the memory of an instance; called when an mjData is freed."""
    blocks = data_at(data, model_at(0)).plugin_data  # needs no model: mjData has the length
    _free(np.int64(blocks[instance & _LOWER]))
    blocks[instance & _LOWER] = 0
    return 0


def plugin_copy(to: int, model: int, source: int, instance: int) -> int:
    """Copies an instance into an initialized mjData; called when an mjData is copied."""
    old, new = block_of(to, instance), block_of(source, instance)
    size, reported = block_at(new).size, block_at(old).reported
    if block_at(old).size != size:  # the plugin was edited after one of them was made
        moved = _allocate(size)
        if moved == 0:
            return 0
        _free(old)
        old = moved
        data_at(to, model_at(model)).plugin_data[instance & _LOWER] = old
    _copy(old, new, size)
    # Keeps the flags of this copy, so that a logged error is not logged again after the next copy
    # from the source.
    block_at(old).reported |= reported
    # These flags describe functions running on the source; on the copy no function is running.
    block_at(old).running = block_at(old).clipped = 0
    return 0


def plugin_reset(model: int, state: int, block: int, instance: int) -> int:
    """Resets an instance's part of the state; called when an mjData is made or reset."""
    count = np.int64(model_at(model).plugin_statenum[instance & _LOWER])
    values = array_at(state, count, np.float64)
    values[:] = 0.0
    head = block_at(block)
    head.running = head.clipped = 0  # still set if a fatal error aborted a function
    run(_RESET, (state, count), block)
    return 0


def plugin_compute(model: int, data: int, instance: int, capability: int) -> int:
    """Computes the actuator forces, sensor values or passive forces of an instance.

    `capability` says which of the three.
    """
    block = block_of(data, instance)
    head, typed_model = block_at(block), model_at(model)
    typed = data_at(data, typed_model)
    if capability & _LOWER == _ACTUATOR:
        clipped = _clip_controls(block, typed_model, typed)
        run(_COMPUTE_ACTUATOR, (model, data), block)
        if clipped:
            _restore_controls(block, typed)
        spans = array_at(block + head.actuators, head.actuator_spans, SPAN)
        _watch(block, _COMPUTE_ACTUATOR, typed.actuator_force, spans)
    elif capability & _LOWER == _SENSOR:
        run(_COMPUTE_SENSOR, (model, data), block)
        spans = array_at(block + head.sensors, head.sensor_spans, SPAN)
        _watch(block, _COMPUTE_SENSOR, typed.sensordata, spans)
    else:
        before = _is_usable(typed.qfrc_passive)  # other plugins have already added to these forces
        run(_COMPUTE_PASSIVE, (model, data), block)
        if before and not _is_usable(typed.qfrc_passive):
            report_divergence(block, _COMPUTE_PASSIVE)
    return 0


def plugin_advance(model: int, data: int, instance: int) -> int:
    """Advances the state of an instance; called when time is integrated."""
    run(_ADVANCE, (model, data), block_of(data, instance))
    return 0


def plugin_actuator_act_dot(model: int, data: int, instance: int) -> int:
    """Computes the derivatives of activations; called before the forces of actuators."""
    block, typed_model = block_of(data, instance), model_at(model)
    typed = data_at(data, typed_model)
    clipped = _clip_controls(block, typed_model, typed)
    run(_ACT_DOT, (model, data), block)
    if clipped:
        _restore_controls(block, typed)
    return 0


def plugin_visualize(model: int, data: int, option: int, scene: int, instance: int) -> int:
    """Adds the visualization of an instance to a scene; called when a scene is made."""
    run(_VISUALIZE, (model, data, option, scene), block_of(data, instance))
    return 0


@own_function()
def block_at(block: int) -> np.record:
    """Returns the INSTANCE at an address."""
    instance: np.record = record_at(block, INSTANCE)
    return instance


@own_function(forceinline=True)
def _clip_controls(block: int, model: mujoco.MjModel, data: mujoco.MjData) -> bool:
    """Clips controls to their ranges, as MuJoCo does for its actuators; returns whether it did.

    MuJoCo passes unclipped controls to plugins, but plugins must see the same values as other
    actuators.
    """
    head = block_at(block)
    # A function that calls `mj_forward` gets here again: only the outer call restores the
    # controls.
    if head.control_spans == 0 or head.clipped or model.opt.disableflags & _CLAMP_CONTROLS:
        return False
    controls, limited, limits = data.ctrl, model.actuator_ctrllimited, model.actuator_ctrlrange
    for span in array_at(block + head.controls, head.control_spans, SPAN):
        for index in range(span.first, span.end):
            if limited[index] and not limits[index, 0] <= controls[index] <= limits[index, 1]:
                _clip(block, controls, limited, limits)
                return True
    return False


@own_function()
def _clip(block: int, controls: Numbers, limited: NDArray[np.bool_], limits: Numbers) -> None:
    """Clips all controls of the instance to their ranges, and stores the original values.

    In most steps all controls are within their ranges, and nothing is written.
    """
    head = block_at(block)
    unclipped = block + head.unclipped
    place = 0
    for span in array_at(block + head.controls, head.control_spans, SPAN):
        for index in range(span.first, span.end):
            value = controls[index]
            array_at(unclipped, place + 1, np.float64)[place] = value
            place += 1
            if limited[index]:
                controls[index] = max(limits[index, 0], min(limits[index, 1], value))
    head.clipped = 1


@own_function(forceinline=True)
def _restore_controls(block: int, data: mujoco.MjData) -> None:
    head = block_at(block)
    unclipped = block + head.unclipped
    place = 0
    for span in array_at(block + head.controls, head.control_spans, SPAN):
        for index in range(span.first, span.end):
            data.ctrl[index] = array_at(unclipped, place + 1, np.float64)[place]
            place += 1
    head.clipped = 0


@own_function(forceinline=True)
def _watch(block: int, function: int, values: Numbers, spans: NDArray[np.void]) -> None:
    """Reports NaN and values beyond LIMIT, because MuJoCo's warning does not name the plugin."""
    for span in spans:
        for index in range(span.first, span.end):
            # Also catches NaN: every comparison with NaN is false.
            if not abs(values[index]) <= LIMIT:
                report_divergence(block, function)
                return


@own_function(forceinline=True)
def _is_usable(values: Numbers) -> bool:
    # No early exit, because it would prevent vectorisation.
    usable = True
    for value in values:
        usable &= abs(value) <= LIMIT
    return usable


@own_function()
def report_divergence(block: int, function: int) -> None:
    """Reports that a function diverges, but only once, because many invalid values may follow."""
    head = block_at(block)
    # The bits for divergence follow the bits for exceptions.
    bit = np.int64(1) << (_FUNCTIONS + function)
    if not head.reported & bit:
        head.reported |= bit
        call_reporter(head.reporter, 2 * (head.number * _FUNCTIONS + function))
