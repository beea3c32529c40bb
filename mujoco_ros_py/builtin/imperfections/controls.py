"""Faults between a control and its actuator: delay, backlash, dead zone and offset."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from ...errors import ConfigError
from ...plugins.compiled_code import inlined
from .actuator_names import actuator_numbers, controls_of
from .control_latencies import delay_fields, latency_rows
from .delay_lines import MOST, capacity, delay_each, delayed, longest_s
from .delays import delay
from .distributions import Distribution
from .effect_rows import longest_draw_s
from .numbers import EARLY_S, within
from .rows import WINDOW, Key, KeyedRows, Rows, array_of, by_effect, filled, window
from .timeline import NamedEntry

CONTROL = np.dtype(
    [
        ('address', np.int64),
        ('first', np.int64),
        ('count', np.int64),
        ('known', np.int64),
        ('seen', np.float64),
        ('commanded', np.float64),
        ('written', np.float64),
    ]
)
"""A control with faults: its address, the index of its first fault and the number of its faults.
The last three fields describe the last evaluation: its time, the commanded control, and the
control written instead. They are valid if `known` is 1."""
CONTROL_FAULT = np.dtype(
    [
        *WINDOW,
        ('delay', np.float64),
        ('varies', np.int64),
        ('rate', np.float64),
        ('keep_order', np.int64),
        ('backlash', np.float64),
        ('dead_zone', np.float64),
        ('offset', np.float64),
        ('ring', np.int64),
        ('engaged', np.int64),
        ('value', np.float64),
        ('head', np.int64),
        ('stored', np.int64),
        ('held', np.float64),
        ('due', np.float64),
        ('number', np.int64),
        ('sent', np.float64),
        ('play_time', np.float64),
        ('play_before', np.float64),
        ('play', np.float64),
    ]
)
"""A fault of a control: its time window and its parameters. `ring` is the index of its delay line
in the state's `delay_lines`, or -1; `head`, `stored`, `held` and `due` belong to this line.
`varies` is 1 if the delay is random, or controls are sent with a `rate`: `number` is that of the
control sent last, at the time `sent`, and `control_latencies` has the distribution. `engaged` is 1
if the fault was in effect at the last evaluation, and `value` is the resulting control. `play`
is the output of the backlash at `play_time`, and `play_before` its output before that time."""
CONTROL_PLACES = 'address', 'first', 'count'
CONTROL_FAULT_PLACES = ('ring',)
CONTROL_EFFECTS = 'delay', 'backlash', 'dead_zone', 'offset'
"""The effects on controls, in the order in which they are applied."""


@dataclass(frozen=True, slots=True)
class ControlRows:
    """The controls that have faults, these faults, and the memory of the delay lines."""

    controls: KeyedRows
    faults: KeyedRows
    delay_lines: NDArray[np.float64]
    """For each delay line, its rows of time, control and due time."""
    latencies: Rows
    """For each delay line, the distribution of its delays: a row of type `MESSAGE_EFFECT`."""
    measured: NDArray[np.float64]
    """For each delay line, the delays of its empirical distribution."""

    def remember(self, before: ControlRows, state: Any) -> None:
        """Copies the faults' parameters and memory from an old state with the rows `before`."""
        self.controls.remember(before.controls.keys, state.controls)
        self.faults.remember(before.faults.keys, state.control_faults)
        places = dict(zip(before.faults.keys, before.faults.rows['ring'], strict=True))
        for key, row in zip(self.faults.keys, self.faults.rows, strict=True):
            source = places.get(key, -1)
            if row['ring'] >= 0 and source >= 0:
                _copy_line(row, self.delay_lines[row['ring']], state.delay_lines[source])


def _copy_line(row: Any, target: NDArray[np.float64], source: NDArray[np.float64]) -> None:
    """Copies the newest rows of a delay line into a line that can have another size."""
    stored = int(min(row['stored'], len(source)))
    order = (int(row['head']) + np.arange(stored)) % len(source)
    kept = source[order][-len(target) :]
    target[: len(kept)] = kept
    row['head'], row['stored'] = 0, len(kept)


def control_rows(
    model: mujoco.MjModel,
    prefix: str,
    timeline: Sequence[NamedEntry],
    stream: Sequence[object] = (),
) -> ControlRows:
    """Returns the rows for all entries that have effects on controls.

    `stream` contains the parts of random number keys that all entries share.

    Raises ConfigError for unknown actuators, actuators without a control, and delays that take too
    many time steps.
    """
    faults: dict[tuple[str, int, int], list[tuple[int, NamedEntry]]] = {}
    for index, entry in enumerate(timeline):
        if not set(CONTROL_EFFECTS) & set(entry.effects):
            continue
        for name, actuator in actuator_numbers(model, prefix, entry).items():
            addresses = controls_of(model, actuator)
            if not addresses:
                raise ConfigError(f'timeline.{entry.name}.of: actuator {name!r} has no control')
            for k, address in enumerate(addresses):
                faults.setdefault((name, k, address), []).append((index, entry))
    order = by_effect(CONTROL_EFFECTS)
    lines: list[tuple[int, NamedEntry]] = []
    rows: list[Rows] = []
    keys: list[Key] = []
    own: list[Rows] = []
    own_keys: list[Key] = []
    for (name, k, address), found in faults.items():
        values = {'address': address, 'first': len(own), 'count': len(found)}
        rows.append(filled(CONTROL, values))
        keys.append((-1, name, k))
        for index, entry in sorted(found, key=lambda pair: order(pair[1])):
            ring = -1
            if entry.delay is not None:
                ring = len(lines)
                lines.append((index, entry))
            own.append(filled(CONTROL_FAULT, {**control_fault(index, entry), 'ring': ring}))
            own_keys.append((index, name, k))
    return ControlRows(
        KeyedRows(array_of(CONTROL, rows), tuple(keys), CONTROL_PLACES),
        KeyedRows(array_of(CONTROL_FAULT, own), tuple(own_keys), CONTROL_FAULT_PLACES),
        np.zeros((len(lines), _capacity(model, timeline), 3)),
        *latency_rows(lines, stream),
    )


def control_fault(index: int, entry: NamedEntry) -> Mapping[str, Any]:
    """Returns the parameters of an entry's effects on a control."""
    return {
        **window(index, entry),
        **delay_fields(entry),
        'backlash': entry.backlash or 0.0,
        'dead_zone': entry.dead_zone or 0.0,
        'offset': entry.offset or 0.0,
    }


def _capacity(model: mujoco.MjModel, timeline: Sequence[NamedEntry]) -> int:
    needed = 0
    for entry in timeline:
        if entry.delay is not None:
            check_delay(model, entry)
            needed = max(needed, capacity(model, longest_draw_s(entry.delay)))
    return needed


def check_delay(model: mujoco.MjModel, entry: NamedEntry, room: int = MOST) -> None:
    """Raises ConfigError if a delay needs more than `room` rows in its delay line."""
    delay_s = longest_draw_s(entry.delay)
    if capacity(model, delay_s) > room:
        drawn = 'draws up to ' if isinstance(entry.delay, Distribution) else ''
        raise ConfigError(
            f'timeline.{entry.name}.delay must be at most {longest_s(model, room):g} s with the'
            f' time step {model.opt.timestep:g} s, got {drawn}{delay_s:g}'
        )


# All functions below are compiled.


@inlined
def restore_controls(state: Any, data: mujoco.MjData) -> None:
    """Restores the commanded controls, except those that were set since the last evaluation.

    Without this, a control that is set only once would pass through its faults in every step.
    """
    time = data.time
    for control in state.controls:
        now = data.ctrl[control.address]
        if control.known == 0 or time < control.seen:  # first evaluation, or time went back
            control.known = 0
            for k in range(control.first, control.first + control.count):
                fault = state.control_faults[k]
                fault.engaged, fault.value = 0, now
        elif now == control.written:
            data.ctrl[control.address] = control.commanded


@inlined
def write_controls(state: Any, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Replaces the commanded controls by the faulty ones."""
    time, timestep = data.time, model.opt.timestep
    for control in state.controls:
        value = data.ctrl[control.address]
        control.commanded = value
        for k in range(control.first, control.first + control.count):
            value = _faulty(state, state.control_faults[k], value, time, timestep)
        control.written, control.seen, control.known = value, time, 1
        data.ctrl[control.address] = value


@inlined
def _faulty(state: Any, fault: Any, value: float, time: float, timestep: float) -> Any:
    """Applies a fault to a control. A new fault starts from the control of the last evaluation."""
    if not within(fault, time):
        fault.engaged, fault.value = 0, value
        return value
    if fault.engaged == 0:
        fault.engaged = 1
        fault.held, fault.stored = fault.value, 0
        fault.due, fault.number, fault.sent = -np.inf, -1, -np.inf
        fault.play, fault.play_before, fault.play_time = fault.value, fault.value, time
    if fault.ring >= 0:
        if fault.varies != 0:
            value = _late(state, fault, value, time, timestep)
        else:
            value = delayed(fault, state.delay_lines[fault.ring], fault.delay, value, time)
    if fault.backlash > 0.0:
        value = _played(fault, value, time)
    if abs(value) < fault.dead_zone:
        value = 0.0
    value += fault.offset
    fault.value = value
    return value


@inlined
def _late(state: Any, fault: Any, value: float, time: float, timestep: float) -> Any:
    """Applies a random delay, or one of controls that are sent with a rate.

    Random numbers depend on the number of the control, which is counted by time: by the periods of
    the rate, or by half time steps, which RK4 evaluates.
    """
    number = int(np.rint(2.0 * time / timestep))
    if fault.rate > 0.0:
        number = math.floor((time + EARLY_S) * fault.rate)
    delay_s = -1.0
    # a repeated evaluation at the time of a control replaces it
    if fault.rate <= 0.0 or number > fault.number or abs(time - fault.sent) < EARLY_S:
        fault.number, fault.sent = number, time
        latency = state.control_latencies[fault.ring]
        delay_s = delay(latency, state.control_delays[fault.ring], number, 0)
    delay_each(fault, state.delay_lines[fault.ring], delay_s, value, time)
    return fault.held


@inlined
def _played(fault: Any, value: float, time: float) -> Any:
    """Applies the backlash: the output moves only after the input has crossed the backlash."""
    if time > fault.play_time:
        fault.play_before, fault.play_time = fault.play, time
    half = 0.5 * fault.backlash
    fault.play = min(max(fault.play_before, value - half), value + half)
    return fault.play
