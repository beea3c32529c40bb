"""Measured signals, commands and goals of a robot, cut into sequences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
Quantity = Literal[
    'position', 'velocity', 'effort', 'gyro', 'accelerometer', 'force', 'torque', 'velocimeter'
]
"""The quantity of a signal: of a joint, or an MJCF sensor of a site or body."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """The quantity of the model that a signal measures."""

    quantity: Quantity
    name: str
    """The joint, or the site or body of a sensor."""
    component: int = 0
    """The component of a sensor's vector; 0 for joints."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Signal:
    """One number that the robot measured over time, in SI units (m, rad, N, s)."""

    source: Source
    times: Array
    """Times in s since the start of the recording, strictly increasing."""
    values: Array
    topic: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Commands:
    """Controls of actuators; each row holds until the next."""

    actuators: tuple[str, ...]
    times: Array
    """Times in s since the start of the recording, strictly increasing."""
    values: Array
    """One row for each time, one column for each actuator."""
    topic: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Goal:
    """A message for a plugin that is in the loop, such as a trajectory or a twist."""

    time: float
    """The time of its arrival in s since the start of the recording."""
    topic: str
    kind: str
    """The message type, for example `trajectory_msgs/JointTrajectory`."""
    message: Mapping[str, Any]
    """The fields of the message; nested messages are mappings too."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sequence:
    """A part of a recording that is simulated as one run."""

    name: str
    """For reports, for example `run1.mcap, 12.0 to 17.0 s`."""
    begin: float
    end: float
    """The time of the part in s since the start of the recording."""
    signals: tuple[Signal, ...]
    """The signals, each cut to the part."""
    commands: tuple[Commands, ...] = ()
    """The commands, each cut to the part; the first row is the command that holds at its begin."""
    goals: tuple[Goal, ...] = ()
    """The goals of the part, after the last goal of each topic before the part, which holds at its
    begin."""
    rests: bool = False
    """Whether all joints rest at the begin."""
    held_out: bool = False
    """Whether the part judges the fitted model, and is not used to fit it."""
