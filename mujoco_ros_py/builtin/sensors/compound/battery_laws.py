"""Compiled battery model: an open-circuit voltage linear in the charge, and a series resistance.

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
    """Returns the power in W that the actuators and all other consumers draw from the battery."""
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
    """Returns the open-circuit voltage in V, which is linear in the charge."""
    full, empty = state.full_voltage, state.empty_voltage
    return empty + (full - empty) * state.charge / state.capacity


@inlined
def current_of(state: State, power: float) -> Any:
    """Returns the current in A that delivers a power in W.

    The current I delivers the power P = I (U - R I) at the terminals; the smaller of the two
    solutions is physical. The battery cannot deliver more than U^2 / (4 R); for a higher power,
    returns the current that delivers this maximum.
    """
    voltage = voltage_at_rest(state)
    root = math.sqrt(max(0.0, voltage * voltage - 4.0 * state.resistance * power))
    if root == 0.0:
        return voltage / (2.0 * state.resistance)
    return 2.0 * power / (voltage + root)


@inlined
def discharge(state: State, seconds: float) -> None:
    """Subtracts the charge that the current power draws, down to an empty battery."""
    taken = current_of(state, state.power) * seconds / SECONDS_PER_HOUR
    state.charge = max(0.0, state.charge - taken)
