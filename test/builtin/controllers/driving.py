"""A plugin that drives joints by the commands of a test, in a session without ROS."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from deadline import DEADLINE_S

from mujoco_ros_py.builtin.controllers import DriveConfig, JointDrive, JointPlugin, drive_joints
from mujoco_ros_py.plugins import compiled
from mujoco_ros_py.session import Session


@dataclass(frozen=True, kw_only=True, slots=True)
class DrivingConfig(DriveConfig):
    """The configuration of the plugin."""

    joints: tuple[str, ...] = ('joint',)
    """The joints that are driven."""
    interfaces: tuple[str, ...] = ('position',)
    """The interface of each joint, or one interface for all joints."""


class Driving(JointPlugin[DrivingConfig]):
    """Drives joints; a test writes the commands into the state."""

    def load(self, model: Any, data: Any) -> None:
        """Creates the drive."""
        given = self.config.interfaces
        interfaces: Any = given[0] if len(given) == 1 else given
        self.drive = JointDrive(self, model, data, self.config.joints, interfaces)
        self.state = self.drive.new_state()

    @staticmethod
    @compiled
    def control_callback(state: Any, model: Any, data: Any) -> None:
        """Drives the joints by the commands in the state."""
        drive_joints(state, model, data)


@dataclass
class Driven:
    """A session with one `Driving` plugin, and access to the values of its joints."""

    session: Session
    name: str = 'driving'

    @property
    def plugin(self) -> Any:
        return self.session.plugins[self.name]

    @property
    def state(self) -> Any:
        """The record; tests write to it between steps."""
        return self.plugin.state

    @property
    def data(self) -> Any:
        """A copy of the data."""
        return self.session.snapshot().data

    @property
    def position(self) -> float:
        return float(self.data.qpos[0])

    @property
    def velocity(self) -> float:
        return float(self.data.qvel[0])

    def command(self, **commands: Any) -> None:
        """Writes commands: `position=0.3`, `velocity=...`, `effort=...`."""
        for name, value in commands.items():
            self.session.call(lambda m, d, n=name, v=value: setattr(self.state, f'{n}_command', v))

    def step(self, count: int = 1) -> None:
        self.session.step(count)

    def run(self, seconds: float) -> None:
        """Steps for this simulated time."""
        model = self.session.snapshot().model
        self.session.step(round(seconds / model.opt.timestep))

    def traced(self, seconds: float, every: int = 1) -> np.ndarray[Any, Any]:
        """Returns time, position and velocity after every `every` steps."""
        rows = []
        model = self.session.snapshot().model
        for _ in range(round(seconds / model.opt.timestep / every)):
            self.session.step(every)
            rows.append(self.session.call(lambda m, d: (d.time, d.qpos[0], d.qvel[0])))
        return np.array(rows)


def said(caplog: Any, session: Session, word: str) -> list[str]:
    """Steps until log lines contain a word, and returns these lines."""
    end = time.monotonic() + DEADLINE_S
    while time.monotonic() < end:
        said = [record.getMessage() for record in caplog.records]
        if lines := [line for line in said if word in line]:
            return lines
        session.step(250)
        time.sleep(0.01)
    raise AssertionError(f'nothing with {word!r} is in the log')


def hinge(actuators: str = '', *, joint: str = '', option: str = '', inertia: float = 0.1) -> str:
    """Returns a model of one hinge about the vertical axis, where gravity has no effect."""
    return f"""
    <mujoco>
      <compiler angle="radian"/>
      <option timestep="0.001" {option}/>
      <worldbody>
        <body>
          <joint name="joint" axis="0 0 1" {joint}/>
          <inertial pos="0 0 0" mass="1" diaginertia="{inertia} {inertia} {inertia}"/>
        </body>
      </worldbody>
      <actuator>{actuators}</actuator>
    </mujoco>
    """
