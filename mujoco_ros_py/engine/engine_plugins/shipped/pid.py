"""mujoco_ros_py.pid: a PID controller as an actuator; same attributes as `mujoco.pid`."""

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
_FILTER_EXACT = int(mujoco.mjtDyn.mjDYN_FILTEREXACT)
_MINVAL = mujoco.mjMINVAL


class Pid(EnginePlugin):
    """Computes the force kp e + ki integral(e) + kd de/dt, with the error e = control - length.

    `imax` limits the force of the integral term, and `slewmax` the rate of change of the
    set-point, in control units per second. `data.act` contains the integral (if `ki` is not 0) and
    the previous set-point (with `slewmax`); the actuator's `actdim` must count both. With a
    `dyntype`, the set-point is the actuator's activation instead of its control.
    """

    name = 'mujoco_ros_py.pid'
    capabilities = Capability.ACTUATOR
    kp = Attribute(0.0)
    ki = Attribute(0.0)
    kd = Attribute(0.0)
    imax = Attribute(math.inf, minimum=0.0)
    slewmax = Attribute(math.inf, minimum=0.0)

    @classmethod
    def state_size(cls, config: Mapping[str, Value], instance: Instance) -> int:
        """Returns 1 with `slewmax`, for a flag that a previous set-point exists; otherwise 0."""
        return int(_finite(config['slewmax']))

    @classmethod
    def parameters(cls, config: Mapping[str, Value], instance: Instance) -> dict[str, Any]:
        """Returns the fields of `p`. Raises ValueError unless the instance drives one actuator."""
        if len(instance.actuators) != 1:
            raise ValueError(f'must drive one actuator, got {len(instance.actuators)}')
        (actuator,) = instance.actuators.tolist()
        model, ki = instance.model, float(config['ki'])  # type: ignore[arg-type]
        slews = _finite(config['slewmax'])
        _check_dimension(model, actuator, int(ki != 0.0) + int(slews))
        first = model.actuator_actadr[actuator]
        return {
            **config,
            'actuator': _place(actuator),
            'control': _place(model.actuator_ctrladr[actuator]),
            'output': _place(model.actuator_outadr[actuator]),
            'act': _place(first),
            'last_act': _place(first + model.actuator_actnum[actuator] - 1),
            'state': _place(model.plugin_stateadr[instance.id]),
            'dynamic': bool(model.actuator_dyntype[actuator] != _NONE),
            'early': bool(model.actuator_actearly[actuator]),
            'slews': slews,
            'limit': float(config['imax']) / ki if ki else math.inf,  # type: ignore[arg-type]
            'integral': 0.0,
        }

    @staticmethod
    def reset(p: np.record, state: Numbers) -> None:
        """Clears the integral and the previous set-point."""
        p.integral = 0.0

    @staticmethod
    def actuator_act_dot(p: np.record, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Sets `act_dot` such that MuJoCo's Euler step yields the next integral and set-point."""
        timestep = model.opt.timestep
        setpoint = _slewed(p, model, data, _setpoint(p, model, data, False))
        act = p.act
        if p.ki != 0.0:
            integral = _integral(p, data.act[act], setpoint, model, data)
            data.act_dot[act] = (integral - data.act[act]) / timestep
            act += 1
        if p.slews:
            data.act_dot[act] = (setpoint - data.act[act]) / timestep

    @staticmethod
    def compute_actuator(p: np.record, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Computes the force."""
        setpoint = _slewed(p, model, data, _setpoint(p, model, data, p.early))
        error = setpoint - data.actuator_length[p.output]
        rate = 0.0
        if p.dynamic:
            rate = data.act_dot[p.last_act]
        error_rate = rate - data.actuator_velocity[p.output]
        if p.ki != 0.0:
            p.integral = _integral(p, data.act[p.act], setpoint, model, data)
        force = p.kp * error + p.kd * error_rate + p.ki * p.integral
        data.actuator_force[p.output] = force

    @staticmethod
    def advance(p: np.record, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Records that a previous set-point exists."""
        if p.slews:
            data.plugin_state[p.state] = 1.0


@inlined
def _setpoint(p: np.record, model: mujoco.MjModel, data: mujoco.MjData, early: bool) -> Any:
    """Returns the control or, with a `dyntype`, the activation.

    With `early`, this is the activation that the step will yield.
    """
    if not p.dynamic:
        return data.ctrl[p.control]
    actuator = p.actuator
    value = data.act[p.last_act]
    if early:
        rate, timestep = data.act_dot[p.last_act], model.opt.timestep
        if model.actuator_dyntype[actuator] == _FILTER_EXACT:
            tau = max(_MINVAL, model.actuator_dynprm[actuator, 0])
            value += rate * tau * (1.0 - math.exp(-timestep / tau))
        else:
            value += rate * timestep
        if model.actuator_actlimited[actuator]:
            limits = model.actuator_actrange[actuator]
            value = max(limits[0], min(limits[1], value))
    return value


@inlined
def _slewed(p: np.record, model: mujoco.MjModel, data: mujoco.MjData, value: float) -> Any:
    """Returns the set-point; with `slewmax`, limits its change since the previous step."""
    if not p.slews or data.plugin_state[p.state] == 0.0:
        return value
    before = data.act[p.act + (1 if p.ki != 0.0 else 0)]
    step = p.slewmax * model.opt.timestep
    return max(before - step, min(before + step, value))


@inlined
def _integral(
    p: np.record, before: float, setpoint: float, model: mujoco.MjModel, data: mujoco.MjData
) -> Any:
    """Returns the integral of the error after this step."""
    error = setpoint - data.actuator_length[p.output]
    value = before + error * model.opt.timestep
    return max(-p.limit, min(p.limit, value))


def _place(number: int) -> Any:
    """Converts an index to unsigned; numba then emits no code for negative indices."""
    return np.uint32(max(number, 0))


def _finite(value: Value) -> bool:
    return isinstance(value, float) and math.isfinite(value)


def _check_dimension(model: mujoco.MjModel, actuator: int, needed: int) -> None:
    needed += int(model.actuator_dyntype[actuator] != _NONE)
    if model.actuator_actnum[actuator] != needed:
        came = int(model.actuator_actnum[actuator])
        raise ValueError(f'actuator {actuator} must have actdim {needed}, got {came}')
