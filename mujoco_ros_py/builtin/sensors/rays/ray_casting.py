"""Compiled functions that measure distances along rays, at once or spread over a revolution.

`state` has the fields of `_RayWorld.fields`, and one row of noise.
"""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np

from ....plugins import State
from ....plugins.compiled_code import inlined, model_at, numbers_at
from ..noise import bias, noisy_distance, sample_index

_EARLY = 0.02
"""How early a part of a revolution can be measured, in timesteps. Calls can be early by up to half
of this."""
_NUMBER, _VECTOR = 8, 24
"""The sizes in bytes of a number and of a direction (three numbers)."""


@inlined
def measure(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> Any:
    """Measures the rays that are due; returns whether the scan is complete.

    A revolution has `state.steps` parts, which are due one after the other. If a call was skipped,
    its rays are measured in the next call. A revolution in progress when the first subscriber
    arrives is discarded. If whole revolutions pass between calls, as in a simulation that runs at
    full speed, all rays are measured at once.
    """
    before = state.number
    number = math.floor((data.time + _EARLY * model.opt.timestep) * state.rate)
    turn, part = number // state.steps, number % state.steps
    passed, state.number = number - before, number
    state.leaps = state.leaps + 1 if passed >= state.steps > 1 else 0
    if state.leaps > 1:
        state.begin, state.whole = data.time, False
        _cast(state, model, data, 0, state.rays)
        return True
    next_part = min(before % state.steps + 1, part)
    if state.steps == 1 or turn != before // state.steps or number < before:
        state.whole = part == 0 or (before >= 0 and 0 < passed < state.steps)
        state.begin, next_part = data.time, 0
    first = next_part * state.rays // state.steps
    end = (part + 1) * state.rays // state.steps
    _cast(state, model, data, first, end - first)
    return state.whole and part == state.steps - 1


@inlined
def _cast(
    state: State, model: mujoco.MjModel, data: mujoco.MjData, first: int, count: int
) -> None:
    """Measures `count` rays from number `first` on, from the sensor's current pose."""
    directions = numbers_at(state.directions + first * _VECTOR, 3 * count)
    turned = numbers_at(state.turned + first * _VECTOR, 3 * count)
    ranges = numbers_at(state.ranges + first * _NUMBER, count)
    hits = np.empty(count, np.int32)
    _turn(data.site_xmat[state.site], directions, turned)
    mujoco.mj_multiRay(
        model_at(state.seen), data, data.site_xpos[state.site], turned, state.groups, True, -1,
        hits, ranges, None, count, state.farthest,
    )  # fmt: skip
    _read(state, model, data, first, hits, ranges)


@inlined
def _turn(axes: Any, directions: Any, turned: Any) -> None:
    """Rotates directions from a frame's axes to the world's."""
    xx, xy, xz = axes[0], axes[1], axes[2]
    yx, yy, yz = axes[3], axes[4], axes[5]
    zx, zy, zz = axes[6], axes[7], axes[8]
    for k in range(0, len(directions), 3):
        x, y, z = directions[k], directions[k + 1], directions[k + 2]
        turned[k] = xx * x + xy * y + xz * z
        turned[k + 1] = yx * x + yy * y + yz * z
        turned[k + 2] = zx * x + zy * y + zz * z


@inlined
def _read(
    state: State, model: mujoco.MjModel, data: mujoco.MjData, first: int, hits: Any, ranges: Any
) -> None:
    """Converts MuJoCo's ray distances (-1 for no hit) to reported ranges; sets the intensities.

    Distances beyond the maximum become inf, distances below the minimum -inf (REP-117).
    """
    brightness = numbers_at(state.brightness, state.geoms)
    intensities = numbers_at(state.intensities + first * _NUMBER, len(ranges))
    noise, index, timestep = state.noise[0], sample_index(model, data), model.opt.timestep
    shift = noise.mean + bias(noise, 0, index, timestep) if noise.on else 0.0
    for k in range(len(ranges)):
        distance = ranges[k]
        intensities[k] = 0.0
        if distance < 0:
            ranges[k] = np.inf
            continue
        if noise.on:
            distance = noisy_distance(noise, shift, first + k, distance, index)
        if state.resolution > 0:
            distance = round(distance / state.resolution) * state.resolution
        if distance > state.farthest:
            distance = np.inf
        elif distance < state.nearest:
            distance = -np.inf
        else:
            intensities[k] = brightness[hits[k]]
        ranges[k] = distance
