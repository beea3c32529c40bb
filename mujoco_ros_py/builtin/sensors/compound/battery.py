"""mujoco_ros_py/Battery: publishes the state of a battery that the actuators discharge."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan
from typing import Any, ClassVar, Literal, get_args

import mujoco
import numpy as np

from ....config import ranged, unknown
from ....errors import ConfigError, PluginError
from ....plugins import Savable, State, compiled, ros_type
from ....simulation import names_of
from ..sensor_frames import SensorFrames
from ..sensor_plugin import SensorConfig, SensorPlugin
from ..sensor_topic import Described
from .battery_laws import current_of, discharge, drawn_power, voltage_at_rest

BatteryState = ros_type('sensor_msgs/msg/BatteryState')
Header = ros_type('std_msgs/msg/Header')

_DISCHARGING, _NOT_CHARGING = (
    int(BatteryState.POWER_SUPPLY_STATUS_DISCHARGING),
    int(BatteryState.POWER_SUPPLY_STATUS_NOT_CHARGING),
)
_ACTUATOR = mujoco.mjtObj.mjOBJ_ACTUATOR
_SCALAR = int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)
Technology = Literal[
    'unknown', 'nimh', 'lion', 'lipo', 'life', 'nicd', 'limn', 'ternary', 'vrla'
]  # fmt: skip
"""The technologies, in the order of their numbers in sensor_msgs/BatteryState."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BatteryConfig(SensorConfig):
    """The configuration of the Battery plugin."""

    update_rate: float = ranged(1.0, above=0.0, maximum=10_000.0, unit='Hz')
    """Messages per second of simulated time."""
    actuators: tuple[str, ...] = ()
    """The actuators that the battery powers; if empty, all actuators of the robot, and the efforts
    that controllers apply directly to its hinge and slide joints."""
    efficiency: float = ranged(1.0, above=0.0, maximum=1.0)
    """The fraction of the actuators' electrical power that becomes mechanical power."""
    idle_power: float = ranged(0.0, minimum=0.0, unit='W')
    """The constant power that all other consumers draw."""
    capacity: float = ranged(above=0.0, unit='Ah')
    """The charge of the full battery."""
    initial_charge: float = ranged(1.0, minimum=0.0, maximum=1.0)
    """The initial charge, as a fraction of the capacity."""
    voltage: float = ranged(above=0.0, unit='V')
    """The open-circuit voltage of the full battery."""
    empty_voltage: float | None = ranged(None, above=0.0, unit='V')
    """The open-circuit voltage of the empty battery; by default `voltage`. Between empty and full,
    the voltage is linear in the charge."""
    resistance: float = ranged(0.0, minimum=0.0, unit='Ohm')
    """The internal resistance."""
    technology: Technology = 'unknown'
    """The technology to report in the messages."""
    location: str = ''
    """The location to report in the messages."""
    serial_number: str = ''
    """The serial number to report in the messages."""

    def __post_init__(self) -> None:
        if self.empty_voltage is not None and self.empty_voltage > self.voltage:
            raise ConfigError(
                f'empty_voltage must be at most voltage, '
                f'got {self.empty_voltage:g} and {self.voltage:g}'
            )


class Battery(SensorPlugin[BatteryConfig], Savable):
    """Publishes the state of a battery (sensor_msgs/BatteryState).

    The battery supplies the absolute power of each actuator, and of each effort that is applied
    directly to a joint, so braking discharges it too. An empty battery is only reported; the
    actuators keep working.
    """

    options: ClassVar[dict[str, Any]] = {'derived': 'state'}

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Starts publishing; each step then discharges the battery."""
        SensorPlugin.load(self, model, data)
        self.state = self.topic.state

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Keeps the charge, and finds the actuators in the new model."""
        SensorPlugin.adapt(self, model, data)
        self.state = self.topic.state

    def describe(self, model: mujoco.MjModel, frames: SensorFrames) -> Described:
        """Finds the actuators; unmeasured fields are NaN."""
        config = self.config
        message = BatteryState(
            header=Header(),
            temperature=nan,
            capacity=config.capacity,
            design_capacity=config.capacity,
            power_supply_health=BatteryState.POWER_SUPPLY_HEALTH_GOOD,
            power_supply_technology=get_args(Technology).index(config.technology),
            present=True,
            location=config.location,
            serial_number=config.serial_number,
        )
        outputs, joints = self._outputs(model), self._joints(model)
        return message, {
            'charge': config.capacity * config.initial_charge,
            'power': config.idle_power,
            'capacity': config.capacity,
            'full_voltage': config.voltage,
            'empty_voltage': config.empty_voltage or config.voltage,
            'resistance': config.resistance,
            'efficiency': config.efficiency,
            'idle_power': config.idle_power,
            'count': len(outputs),
            'outputs': np.array(outputs or [0]),
            'joint_count': len(joints),
            'joints': np.array(joints or [0]),
        }

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Resets the battery to its initial charge."""
        self.restore((self.config.capacity * self.config.initial_charge, self.config.idle_power))

    def save(self) -> tuple[float, float]:
        """Returns the charge and the power; everything else is configuration."""
        return float(self.topic.state.charge), float(self.topic.state.power)

    def check_saved(self, saved: Any) -> None:
        """Rejects a charge outside the capacity, and a negative or infinite power."""
        Savable.check_saved(self, saved)
        (charge, power), capacity = saved, self.config.capacity
        if not 0.0 <= charge <= capacity:
            raise ConfigError(f'the charge must be from 0 to {capacity:g} Ah, got {charge:g}')
        if not 0.0 <= power < inf:
            raise ConfigError(f'the power must be finite and at least 0 W, got {power:g}')

    def restore(self, saved: tuple[float, float]) -> None:
        """Restores the charge and the power."""
        self.topic.state.charge, self.topic.state.power = saved

    @staticmethod
    @compiled
    def last_stage_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Subtracts the charge of one step from the battery."""
        state.power = drawn_power(state, data)
        discharge(state, model.opt.timestep)

    @staticmethod
    @compiled
    def fill(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Writes the battery's current state."""
        current = current_of(state, state.power)
        message.voltage = voltage_at_rest(state) - state.resistance * current
        message.current = 0.0 - current
        message.charge = state.charge
        message.percentage = state.charge / state.capacity
        message.power_supply_status = _DISCHARGING if current > 0 else _NOT_CHARGING

    def _outputs(self, model: mujoco.MjModel) -> list[int]:
        """Returns the indices of the actuators' forces; one per actuator in MuJoCo 3."""
        actuators = self._actuators(model)
        if not hasattr(model, 'actuator_outadr'):
            return actuators
        starts, counts = model.actuator_outadr, model.actuator_outnum
        return [int(starts[each]) + k for each in actuators for k in range(counts[each])]

    def _actuators(self, model: mujoco.MjModel) -> list[int]:
        """Returns the ids of the actuators. Raises PluginError if a configured name is unknown."""
        names = names_of(model, _ACTUATOR, self.environment.prefix)
        for name in self.config.actuators:
            if name not in names:
                raise PluginError(f'actuators: {unknown("actuator", name, names)}')
        if self.config.actuators:
            return [names[name] for name in self.config.actuators]
        return self._own(model, _ACTUATOR, len(model.actuator_trntype))

    def _joints(self, model: mujoco.MjModel) -> list[int]:
        """Returns the degrees of freedom to which controllers may apply efforts directly."""
        if self.config.actuators:
            return []
        joints = self._own(model, mujoco.mjtObj.mjOBJ_JOINT, model.njnt)
        return [int(model.jnt_dofadr[each]) for each in joints if model.jnt_type[each] in _SCALAR]

    def _own(self, model: mujoco.MjModel, kind: mujoco.mjtObj, count: int) -> list[int]:
        """Returns the ids of the robot's objects of a kind; the model has `count` of them."""
        prefix = self.environment.prefix
        return list(names_of(model, kind, prefix).values()) if prefix else list(range(count))
