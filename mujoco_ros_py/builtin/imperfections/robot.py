"""Applies faults to the robot in the model: to readings, controls and forces.

`RobotRows` creates the fields of the plugin's state for these faults. The plugin's `read_callback`
calls `read`, and its `write_callback` calls `write`. All results depend only on the state and on
the simulated time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import mujoco
import numpy as np

from ...plugins.compiled_code import inlined
from .actuator_names import actuator_numbers
from .control_latencies import LATENCY_PLACES, check_latency, set_latencies
from .controls import (
    CONTROL_FAULT_PLACES,
    CONTROL_PLACES,
    check_delay,
    control_fault,
    control_rows,
    restore_controls,
    write_controls,
)
from .encoders import (
    ENCODER_PLACES,
    MEMORY,
    SENSOR_PLACES,
    encoder_rows,
    hide_readings,
    sensor_rows,
    show_readings,
)
from .forces import MOTOR_PLACES, check_force, force_fault, force_rows, restore_motor, write_forces
from .number_rows import entry_number
from .observations import OBSERVATION_PLACES, ObservationRows, forget_observations
from .observing import begin_observations
from .timeline import NamedEntry, check_overlaps

PLACES = (
    *(f'encoders.{name}' for name in ('entry', *ENCODER_PLACES)),
    *(f'sensors.{name}' for name in ('entry', *SENSOR_PLACES)),
    *(f'controls.{name}' for name in CONTROL_PLACES),
    *(f'control_faults.{name}' for name in ('entry', *CONTROL_FAULT_PLACES)),
    *(f'control_latencies.{name}' for name in LATENCY_PLACES),
    *(f'motors.{name}' for name in MOTOR_PLACES),
    'force_faults.entry',
    *OBSERVATION_PLACES,
)
"""The entries of `Savable.places` for these fields."""


class RobotRows:
    """The rows of all faults of a timeline in one model."""

    def __init__(
        self,
        model: mujoco.MjModel,
        prefix: str,
        timeline: Sequence[NamedEntry],
        stream: Sequence[object] = (),
    ) -> None:
        """In the model, `prefix` precedes the names that the timeline uses.

        `stream` contains the parts that the random number keys of all entries share.

        Raises ConfigError for names that the model does not have, for effects that an element
        cannot have, and for two entries with the same effect on one actuator at the same time.
        """
        self._model, self._prefix, self._stream = model, prefix, stream
        check_overlaps(timeline, self._parts)
        self.encoders = encoder_rows(model, prefix, timeline)
        self.sensors = sensor_rows(model, prefix, timeline)
        self.controls = control_rows(model, prefix, timeline, stream)
        self.forces = force_rows(model, prefix, timeline)
        self.observations = ObservationRows(model, timeline, stream)

    def _parts(self, entry: NamedEntry) -> Iterable[str]:
        """Returns the names of the elements that an entry acts on."""
        return self._actuators(entry) or entry.target.names

    def _actuators(self, entry: NamedEntry) -> dict[str, int]:
        return actuator_numbers(self._model, self._prefix, entry)

    @property
    def fields(self) -> Mapping[str, Any]:
        """The fields of the plugin's state, to be passed to `new_state`."""
        return {
            'encoders': self.encoders.rows,
            'sensors': self.sensors.rows,
            'controls': self.controls.controls.rows,
            'control_faults': self.controls.faults.rows,
            'delay_lines': self.controls.delay_lines,
            'control_latencies': self.controls.latencies,
            'control_delays': self.controls.measured,
            'motors': self.forces.motors.rows,
            'force_faults': self.forces.faults.rows,
            **self.observations.fields,
        }

    def remember(self, before: RobotRows, state: Any) -> None:
        """Copies live parameters and memory from an old state with the rows `before`.

        If the old model is still in use, call `restore_model` first.
        """
        self.encoders.remember(before.encoders.keys, state.encoders)
        self.sensors.remember(before.sensors.keys, state.sensors)
        self.controls.remember(before.controls, state)
        self.forces.remember(before.forces, state)
        self.observations.remember(state)

    def fits(self, state: Any) -> bool:
        """Returns whether `put` can write the rows into a state, which needs equal shapes."""
        return all(np.shape(state[name]) == np.shape(value) for name, value in self.fields.items())

    def put(self, state: Any) -> None:
        """Writes the rows into a state of the same shape."""
        for name, value in self.fields.items():
            state[name] = value

    def set_entry(self, state: Any, index: int, entry: NamedEntry) -> None:
        """Sets the parameters, the time window and `active` of an entry.

        Call this between two steps. The targets and the kinds of effects stay the same. Raises
        ConfigError, and changes nothing, for an effect that an actuator cannot have.
        """
        if entry.delay is not None:
            check_delay(self._model, entry, state.delay_lines.shape[1])
            check_latency(state, entry)
        for name, actuator in self._actuators(entry).items():
            check_force(self._model, entry, name, actuator)
        set_latencies(state, index, entry)
        reading = entry_number(entry)
        parameters = {
            name: reading[name] for name in reading.dtype.names or () if name not in MEMORY
        }
        for rows in (state.encoders, state.sensors):
            _set(rows['fault'], rows['entry'] == index, parameters)
        for rows, values in (
            (state.control_faults, control_fault(index, entry)),
            (state.force_faults, force_fault(index, entry)),
        ):
            _set(rows, rows['entry'] == index, values)

    def observations_of(self, entries: Sequence[NamedEntry]) -> ObservationRows:
        """Returns the observations of a changed timeline; raises the errors of the class."""
        return ObservationRows(self._model, entries, self._stream)


def _set(rows: Any, chosen: Any, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        rows[name][chosen] = value


def restore_model(state: Any, model: mujoco.MjModel) -> None:
    """Writes the original values of all actuators back into the model.

    If a fault is in effect, the next evaluation of the forces changes the model again. Call this
    before the model is replaced, before a saved state is restored, and when the plugin is
    unloaded.
    """
    for motor in state.motors:
        if motor['engaged']:
            restore_motor(motor, model)


def restored(state: Any) -> None:
    """Notes in a restored state that the model contains its original values."""
    state.motors['engaged'] = 0


def forget(state: Any) -> None:
    """Clears the remembered commands and the memory of all faults, for a reset."""
    state.controls['known'] = 0
    forget_observations(state)
    for name in ('encoders', 'sensors'):
        state[name]['fault']['stuck'] = 0
        state[name]['shown'] = 0


def withdraw(state: Any, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Restores the original values in the model, and the commanded controls."""
    restore_model(state, model)
    for control in state.controls:
        if control['known'] and data.ctrl[control['address']] == control['written']:
            data.ctrl[control['address']] = control['commanded']
    state.controls['known'] = 0


def show_observations(state: Any, data: mujoco.MjData) -> None:
    """Shows the data as observations at once, until the next evaluation of the forces."""
    show_readings(state, data)
    begin_observations(state, data)
    hide_readings(state, data)
    forget_observations(state)


# The functions below are compiled.


@inlined
def read(state: Any, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Writes the faulty readings into the data; call this in `read_callback`."""
    restore_controls(state, data)
    show_readings(state, data)
    begin_observations(state, data)


@inlined
def write(state: Any, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Restores the true readings, and applies faults of actuators; call in `write_callback`."""
    hide_readings(state, data)
    write_controls(state, model, data)
    write_forces(state, model, data)
