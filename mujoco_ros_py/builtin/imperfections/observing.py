"""Compiled: takes observations of the data after each step, and shows them late.

`state` has the fields of `ObservationRows`. An observed field, such as `qpos`, has a copy of the
data in the state's field of the same name: the last observation that has arrived, taken at the
simulated time in `qpos_time`. The observations on their way are in `qpos_held`.
"""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np

from ...plugins.compiled_code import inlined, separate
from .delays import delay, draw_fate
from .encoders import hide_readings, show_readings
from .numbers import EARLY_S, within

OBSERVATION = np.dtype(
    [
        ('used', np.int64),
        ('first', np.int64),  # index of the first row in `observation_effects`
        ('count', np.int64),
        ('rate', np.float64),  # in Hz; 0: after each step
        # memory
        ('number', np.int64),  # of the last observation
        ('time', np.float64),  # of the last step
        ('due', np.float64),  # when the last observation that keeps the order arrives
        ('head', np.int64),  # place of the oldest observation on its way
        ('stored', np.int64),  # number of places from there that may have such an observation
        # results for the current step
        ('take', np.int64),  # place for a new observation; -1: none
        ('show', np.int64),  # place of the observation that has arrived last; -1: none
    ]
)
"""A field of the data that can be observed, in the order of `targets.OBSERVED`; unless `used` is
set, the field is not observed."""
_FREE = np.inf
"""The due time of a place without an observation on its way."""


@inlined
def begin_observations(state: Any, data: mujoco.MjData) -> None:
    """Shows the data at once in the first evaluation after a load or a reset.

    Call this in `read_callback`, after `show_readings`.
    """
    if state.observations_begun == 0:
        state.observations_begun = 1
        for k in range(len(state.observations)):
            _begin(state.observations[k], state.observation_dues[k], data.time)
        if state.observations[0].used:
            state.qpos[:], state.qpos_time = data.qpos, data.time
        if state.observations[1].used:
            state.qvel[:], state.qvel_time = data.qvel, data.time
        if state.observations[2].used:
            state.act[:], state.act_time = data.act, data.time
        if state.observations[3].used:
            state.sensordata[:], state.sensordata_time = data.sensordata, data.time
        if state.observations[4].used:
            state.xpos[:], state.xpos_time = data.xpos, data.time
        if state.observations[5].used:
            state.xquat[:], state.xquat_time = data.xquat, data.time


@inlined
def observe(state: Any, data: mujoco.MjData) -> None:
    """Takes observations, and shows those that are due; call this in `last_stage_callback`."""
    if state.observing == 0:
        return
    show_readings(state, data)
    begin_observations(state, data)  # `read_callback` is not called if actuation is disabled
    for k in range(len(state.observations)):
        _plan(state, k, data.time)
    _move(state, 0, data.qpos, state.qpos_held, state.qpos)
    state.qpos_time = _stamp(state, 0, state.qpos_time)
    _move(state, 1, data.qvel, state.qvel_held, state.qvel)
    state.qvel_time = _stamp(state, 1, state.qvel_time)
    _move(state, 2, data.act, state.act_held, state.act)
    state.act_time = _stamp(state, 2, state.act_time)
    if state.observations_begun == 1 and state.observations[3].used:
        # Only a step computes all sensors, from the state before it.
        state.sensordata[:] = data.sensordata
    _move(state, 3, data.sensordata, state.sensordata_held, state.sensordata)
    state.sensordata_time = _stamp(state, 3, state.sensordata_time)
    _move(state, 4, data.xpos, state.xpos_held, state.xpos)
    state.xpos_time = _stamp(state, 4, state.xpos_time)
    _move(state, 5, data.xquat, state.xquat_held, state.xquat)
    state.xquat_time = _stamp(state, 5, state.xquat_time)
    state.observations_begun = 2
    hide_readings(state, data)


@inlined
def _begin(row: Any, dues: Any, time: float) -> None:
    """Forgets all observations on their way."""
    dues[:] = _FREE
    row.head, row.stored = 0, 0
    row.time, row.due = time, -np.inf
    row.number = math.floor((time + EARLY_S) * row.rate)


@inlined
def _move(state: Any, k: int, values: Any, held: Any, shown: Any) -> None:
    row = state.observations[k]
    if row.take >= 0:
        held[row.take][:] = values
    if row.show >= 0:
        shown[:] = held[row.show]


@inlined
def _stamp(state: Any, k: int, before: float) -> Any:
    """Returns the time at which the shown observation was taken."""
    show = state.observations[k].show
    return state.observation_stamps[k][show] if show >= 0 else before


@separate
def _plan(state: Any, k: int, time: float) -> None:
    """Sets `take` and `show` of a row."""
    row, dues = state.observations[k], state.observation_dues[k]
    row.take, row.show = -1, -1
    if row.used == 0:
        return
    if time < row.time:  # the time has jumped back
        _begin(row, dues, time)
    row.time = time
    last = len(dues) - 1  # also the mask of indices, because the length is a power of two
    # a restored state may contain any numbers
    row.head, row.stored = row.head & last, min(max(row.stored, 0), len(dues))
    number = row.number + 1
    if row.rate > 0.0:
        number = math.floor((time + EARLY_S) * row.rate)
    if number > row.number:
        row.number = number
        due = _due(state, row, time)
        if due != _FREE and row.stored < len(dues):
            row.take = (row.head + row.stored) & last
            row.stored += 1
            dues[row.take], state.observation_stamps[k][row.take] = due, time
    latest = -np.inf
    for n in range(row.stored):
        place = (row.head + n) & last
        if latest <= dues[place] <= time + EARLY_S:
            latest, row.show = dues[place], place
    for n in range(row.stored):
        place = (row.head + n) & last
        if dues[place] <= time + EARLY_S:
            dues[place] = _FREE
    while row.stored > 0 and dues[row.head] == _FREE:
        row.head = (row.head + 1) & last
        row.stored -= 1


@inlined
def _due(state: Any, row: Any, time: float) -> Any:
    """Returns when a new observation arrives; infinity if it is lost."""
    total, ordered = 0.0, True
    for k in range(row.first, row.first + row.count):
        effect = state.observation_effects[k]
        if within(effect, time):
            draw_fate(effect, row.number)
            if effect.lost:
                return _FREE
            total += delay(effect, state.observation_delays, row.number, 0)
            ordered = ordered and effect.keep_order != 0
    if ordered:
        row.due = max(row.due, time + total)
        return row.due
    return time + total
