"""Compiled: a battery as a voltage that sinks with the charge, behind a resistance.

`state` has the fields of the Battery plugin.
"""

from __future__ import annotations

import math
from typing import Any

import mujoco

from ....plugins import State
from ....plugins.compiled_code import inlined

SECONDS_PER_HOUR = 3600.0


@inlined
def drawn_power(state: State, data: mujoco.MjData) -> Any:
    """Returns the power in W that the actuators and all else take from the battery."""
    power = 0.0
    for k in range(state.count):
        output = state.outputs[k]
        power += abs(data.actuator_force[output] * data.actuator_velocity[output])
    for k in range(state.joint_count):
        dof = state.joints[k]
        power += abs(data.qfrc_applied[dof] * data.qvel[dof])
    return power / state.efficiency + state.idle_power


@inlined
def voltage_at_rest(state: State) -> Any:
    """Returns the voltage in V without a current, which is linear in the charge."""
    full, empty = state.full_voltage, state.empty_voltage
    return empty + (full - empty) * state.charge / state.capacity


@inlined
def current_of(state: State, power: float) -> Any:
    """Returns the current in A that gives a power in W.

    The power is that of the current I at the voltage of the poles, P = I (U - R I). Of the two
    solutions, a battery has the smaller one. A power above U^2 / (4 R) is more than there is; then
    the current is that of the largest power.
    """
    voltage = voltage_at_rest(state)
    root = math.sqrt(max(0.0, voltage * voltage - 4.0 * state.resistance * power))
    if root == 0.0:
        return voltage / (2.0 * state.resistance)
    return 2.0 * power / (voltage + root)


@inlined
def discharge(state: State, seconds: float) -> None:
    """Takes the charge of the present power from the battery, until it is empty."""
    taken = current_of(state, state.power) * seconds / SECONDS_PER_HOUR
    state.charge = max(0.0, state.charge - taken)
