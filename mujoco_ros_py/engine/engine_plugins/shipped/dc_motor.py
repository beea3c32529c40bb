"""mujoco_ros_py.dc_motor: a DC motor whose winding warms up, with a temperature sensor."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import mujoco
import numpy as np

from ...engine_plugin_records import Capability
from ...inlined import inlined
from ...stack_arrays import Numbers
from ..engine_plugin import EnginePlugin
from ..instance import Instance
from ..plugin_attribute import Attribute, Value

_NONE = int(mujoco.mjtDyn.mjDYN_NONE)
_RK4 = int(mujoco.mjtIntegrator.mjINT_RK4)
_FASTEST = 2.0
"""Maximum timestep, in electrical time constants, for integrating the current with RK4, which is
stable up to 2.8."""


class DcMotor(EnginePlugin):
    """A DC motor: the control is the voltage u at its terminals, the force is the torque K i.

    The current i follows L di/dt = u - R i - K w, with the speed w. The temperature T follows C
    dT/dt = R i^2 - (T - ambient) / thermal resistance, with R = resistance (1 + tempcoef (T -
    reftemp)). These are the textbook equations, in SI units and degrees Celsius. Both equations
    are solved exactly for a timestep in which u, w and R are constant, and the force is the mean
    over the timestep. Therefore L / R can be arbitrarily short, and no energy is lost. With RK4,
    MuJoCo integrates di/dt, and L / R is increased to at least half a timestep.

    With an `inductance` the current is in `data.act`, and `actdim` must be 1. The temperature is
    in `data.plugin_state`, and is the value of the instance's sensors. The joint needs the rotor's
    inertia as `armature`: the motor damps the joint with K^2 / R, which is stable if the timestep
    is shorter than twice the mechanical time constant, inertia R / K^2.
    """

    name = 'mujoco_ros_py.dc_motor'
    capabilities = Capability.ACTUATOR | Capability.SENSOR
    stage = mujoco.mjtStage.mjSTAGE_POS
    resistance = Attribute(0.0, minimum=0.0)
    inductance = Attribute(0.0, minimum=0.0)
    motorconst = Attribute(0.0, minimum=0.0)
    thermal_resistance = Attribute(0.0, minimum=0.0)
    thermal_capacitance = Attribute(0.0, minimum=0.0)
    tempcoef = Attribute(0.00393, minimum=0.0)
    reftemp = Attribute(25.0)
    ambient = Attribute(25.0)

    @classmethod
    def state_size(cls, config: Mapping[str, Value], instance: Instance) -> int:
        """Returns 1, for the temperature."""
        return 1

    @classmethod
    def parameters(cls, config: Mapping[str, Any], instance: Instance) -> dict[str, Any]:
        """Returns the parameters; an instance has one actuator and any number of sensors."""
        if len(instance.actuators) != 1:
            raise ValueError(f'must drive one actuator, got {len(instance.actuators)}')
        (actuator,) = instance.actuators.tolist()
        model, inductance = instance.model, config['inductance']
        _check(config)
        _check_activation(model, actuator, int(inductance > 0.0))
        return {
            **config,
            'control': int(model.actuator_ctrladr[actuator]),
            'output': int(model.actuator_outadr[actuator]),
            'act': int(model.actuator_actadr[actuator]),
            'state': int(model.plugin_stateadr[instance.id]),
            'thermometers': model.sensor_adr[instance.sensors],
            'power': 0.0,
        }

    @staticmethod
    def reset(p: np.record, state: Numbers) -> None:
        """Sets the temperature to the ambient temperature."""
        state[0] = p.ambient
        p.power = 0.0

    @staticmethod
    def actuator_act_dot(p: np.record, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Sets the derivative of the current with which an Euler step gives the exact current."""
        if p.inductance == 0.0:
            return
        current, steady = data.act[p.act], _steady(p, model, data)
        timestep = model.opt.timestep
        rate = _resistance(p, data) / p.inductance
        if model.opt.integrator == _RK4:
            # RK4 would become unstable with a shorter time constant.
            rate = min(rate, _FASTEST / timestep)
        else:
            # `expm1` keeps the digits that 1 - exp loses for small steps.
            rate = -math.expm1(-rate * timestep) / timestep
        data.act_dot[p.act] = (steady - current) * rate

    @staticmethod
    def compute_actuator(p: np.record, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Computes the torque, and the power that heats the winding."""
        steady, resistance = _steady(p, model, data), _resistance(p, data)
        mean, square = steady, steady * steady
        if p.inductance != 0.0:
            mean, square = data.act[p.act], data.act[p.act] ** 2
            if model.opt.integrator != _RK4:
                decay = model.opt.timestep * resistance / p.inductance
                mean, square = _means(mean, steady, decay)
        data.actuator_force[p.output] = p.motorconst * mean
        p.power = resistance * square

    @staticmethod
    def compute_sensor(p: np.record, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Writes the temperature in degrees Celsius."""
        for place in p.thermometers:
            data.sensordata[place] = data.plugin_state[p.state]

    @staticmethod
    def advance(p: np.record, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Advances the temperature of the winding by a timestep."""
        if p.thermal_resistance != 0.0:
            constant = p.thermal_resistance * p.thermal_capacitance
            final = p.ambient + p.thermal_resistance * p.power
            share = -math.expm1(-model.opt.timestep / constant)
            data.plugin_state[p.state] += (final - data.plugin_state[p.state]) * share
        p.power = 0.0  # disabled actuation skips `compute_actuator`


@inlined
def _steady(p: np.record, model: mujoco.MjModel, data: mujoco.MjData) -> Any:
    """Returns the steady-state current of the winding, in A."""
    voltage = data.ctrl[p.control]
    if model.actuator_ctrllimited[p.control]:
        limits = model.actuator_ctrlrange[p.control]
        voltage = max(limits[0], min(limits[1], voltage))
    induced = p.motorconst * data.actuator_velocity[p.output]
    return (voltage - induced) / _resistance(p, data)


@inlined
def _resistance(p: np.record, data: mujoco.MjData) -> Any:
    """Returns the resistance of the winding at its temperature, in Ohm."""
    return p.resistance * (1.0 + p.tempcoef * (data.plugin_state[p.state] - p.reftemp))


@inlined
def _means(current: float, steady: float, decay: float) -> Any:
    """Returns the means of a decaying current and of its square over the timestep."""
    excess = current - steady
    first, second = -math.expm1(-decay) / decay, -math.expm1(-2.0 * decay) / (2.0 * decay)
    return (
        steady + excess * first,
        steady * steady + 2.0 * steady * excess * first + excess * excess * second,
    )


def _check(config: Mapping[str, Any]) -> None:
    for name in ('resistance', 'motorconst'):
        if config[name] == 0.0:
            raise ValueError(f'{name} must be above 0, got 0')
    if (config['thermal_resistance'] == 0.0) != (config['thermal_capacitance'] == 0.0):
        raise ValueError(
            'thermal_resistance and thermal_capacitance must both be above 0 or both be 0, got'
            f' {config["thermal_resistance"]:g} and {config["thermal_capacitance"]:g}'
        )
    if config['tempcoef'] * (config['ambient'] - config['reftemp']) <= -1.0:
        raise ValueError(
            f'resistance must be above 0 at the ambient temperature {config["ambient"]:g}, but is'
            f' not with reftemp {config["reftemp"]:g} and tempcoef {config["tempcoef"]:g}'
        )


def _check_activation(model: mujoco.MjModel, actuator: int, needed: int) -> None:
    if model.actuator_dyntype[actuator] != _NONE:
        raise ValueError(f'actuator {actuator} must have no dyntype')
    if model.actuator_actnum[actuator] != needed:
        came = int(model.actuator_actnum[actuator])
        raise ValueError(f'actuator {actuator} must have actdim {needed}, got {came}')
