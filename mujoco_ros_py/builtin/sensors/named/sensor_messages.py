"""The messages of the model's sensors, and the compiled functions that fill them."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ....plugins import State, compiled, ros_type
from ....plugins.compiled_code import inlined
from ...transforms.compiled_poses import set_point, set_rotation
from ..noise import noisy, noisy_rotation, noisy_vector, sample_index
from .sensor_kinds import Kind, Layout, Measured

PointStamped = ros_type('geometry_msgs/msg/PointStamped')
QuaternionStamped = ros_type('geometry_msgs/msg/QuaternionStamped')
Vector3Stamped = ros_type('geometry_msgs/msg/Vector3Stamped')
Header = ros_type('std_msgs/msg/Header')
MultiArrayDimension = ros_type('std_msgs/msg/MultiArrayDimension')
MultiArrayLayout = ros_type('std_msgs/msg/MultiArrayLayout')
ArrayStamped = ros_type('mujoco_ros_msgs/msg/ArrayStamped')
ScalarStamped = ros_type('mujoco_ros_msgs/msg/ScalarStamped')


def template(measured: Measured, frame_id: str) -> Any:
    """Returns an empty message of the type that a sensor publishes."""
    header = Header(frame_id=frame_id)
    match measured.kind:
        case Kind.SCALAR:
            return ScalarStamped(header=header)
        case Kind.POINT:
            return PointStamped(header=header)
        case Kind.VECTOR:
            return Vector3Stamped(header=header)
        case Kind.QUATERNION:
            return QuaternionStamped(header=header)
    return ArrayStamped(
        header=header, layout=_layout(measured.layout), data=[0.0] * measured.count
    )


def filling(kind: Kind) -> Any:
    """Returns the compiled function that fills the messages of a kind."""
    return _FILLING[kind]


def _layout(dimensions: Layout) -> Any:
    """Returns the layout of a row-major array, as std_msgs defines it."""
    sizes = [size for _, size in dimensions]
    return MultiArrayLayout(
        dim=[
            MultiArrayDimension(label=label, size=size, stride=int(np.prod(sizes[number:])))
            for number, (label, size) in enumerate(dimensions)
        ]
    )


@inlined
def _within(state: State, value: float) -> Any:
    """Clamps a value to the sensor's range, as MuJoCo's cutoff does."""
    if state.cutoff <= 0:
        return value
    lowest = 0.0 if state.positive else -state.cutoff
    return min(max(value, lowest), state.cutoff)


@inlined
def _is_missed(state: State, data: mujoco.MjData, start: int) -> bool:
    """Returns whether a row reports no hit or no contact; such rows get no noise.

    `start` is the index of the row's first value.
    """
    if state.mark < 0:
        return False
    mark = state.address + start + state.mark
    if state.zeros == 0:
        return bool(data.sensordata[mark] < 0.0)
    nonzero = 0
    for k in range(state.zeros):
        nonzero += int(data.sensordata[mark + k] != 0.0)
    return nonzero == 0


@inlined
def _with_noise(state: State, model: mujoco.MjModel, value: float, lane: int, index: int) -> Any:
    """Returns a noisy value; keeps a distance nonnegative, because a negative one means no hit."""
    noise, timestep = state.noise[0], model.opt.timestep
    value = _within(state, noisy(noise, lane, value, index, timestep))
    if state.distances >> (lane % state.row) & 1:
        value = max(value, 0.0)
    return value


@inlined
def _three(state: State, model: mujoco.MjModel, data: mujoco.MjData, values: Any) -> None:
    """Writes a vector or a point with noise."""
    for k in range(3):
        values[k] = data.sensordata[state.address + k]
    if state.noise[0].on == 0 and state.noise[1].on == 0 and state.noise[2].on == 0:
        return
    if state.unit and values[0] == 0.0 and values[1] == 0.0 and values[2] == 0.0:
        return  # a zero vector has no direction
    noisy_vector(state.noise, values, sample_index(model, data), model.opt.timestep)
    if state.unit:
        mujoco.mju_normalize3(values)
        return
    for k in range(3):
        values[k] = _within(state, values[k])


@compiled
def _fill_scalar(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
    """Writes the value of a scalar sensor."""
    value = data.sensordata[state.address]
    if state.noise[0].on and not _is_missed(state, data, 0):
        value = _with_noise(state, model, value, 0, sample_index(model, data))
    message.value = value


@compiled
def _fill_vector(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
    """Writes the values of a vector sensor."""
    values = np.empty(3)
    _three(state, model, data, values)
    set_point(message.vector, values)


@compiled
def _fill_point(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
    """Writes the values of a position sensor."""
    values = np.empty(3)
    _three(state, model, data, values)
    set_point(message.point, values)


@compiled
def _fill_quaternion(
    state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any
) -> None:
    """Writes the values of an orientation sensor."""
    quat = np.empty(4)
    for k in range(4):
        quat[k] = data.sensordata[state.address + k]
    noisy_rotation(state.noise, quat, sample_index(model, data), model.opt.timestep)
    set_rotation(message.quaternion, quat)


@compiled
def _fill_array(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
    """Writes the values of an array sensor."""
    values, index = message.data, sample_index(model, data)
    for start in range(0, len(values), state.row):
        noise_is_on = state.noise[0].on and not _is_missed(state, data, start)
        for k in range(start, start + state.row):
            value = data.sensordata[state.address + k]
            if noise_is_on:
                value = _with_noise(state, model, value, k, index)
            values[k] = value


_FILLING: dict[Kind, Any] = {
    Kind.SCALAR: _fill_scalar,
    Kind.VECTOR: _fill_vector,
    Kind.POINT: _fill_point,
    Kind.QUATERNION: _fill_quaternion,
    Kind.ARRAY: _fill_array,
}
