"""The options of measurements, as in YAML files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ...config import check_ranges, ranged
from ...errors import ConfigError
from ...recording.files.message_times import Clock

Units = Literal['', 'radians', 'degrees']
Use = Literal['auto', 'signals', 'commands', 'nothing']


@dataclass(frozen=True, kw_only=True, slots=True)
class TopicOptions:
    """How the messages of a topic are used."""

    use: Use = 'auto'
    """`signals` and `commands` are the uses of joint states; `nothing` ignores the topic. By
    default, joint states are commands if the last part of the topic contains `command`."""
    joints: Mapping[str, str] = ranged(default_factory=dict)
    """The joint of the model for each name in the messages, in addition to the common `joints`."""
    prefix: str = ''
    """The prefix of the names in the messages, instead of the common `prefix`."""
    units: Units = ''
    """The unit of positions of hinges, and of velocities per s; if empty, the common `units`."""
    velocity_units: Units = ''
    """The unit of velocities per s, if it differs from the unit of positions."""
    site: str = ''
    """The site of an IMU, wrench or odometry; if empty, the site or body with the frame's name."""
    body: str = ''
    """The body of an IMU, wrench or odometry, instead of a site."""
    measure_direction: Literal['child_to_parent', 'parent_to_child'] = 'child_to_parent'
    """The direction of a wrench, as in the plugin ForceTorque."""
    actuators: tuple[str, ...] = ()
    """The actuators of an array of commands, in the order of its elements; by default, all
    actuators of the model in their order."""
    field: Literal['', 'position', 'velocity', 'effort'] = ''
    """The field of joint states that are commands; by default, the first with values."""

    def __post_init__(self) -> None:
        """Raises ConfigError for options that contradict each other."""
        check_ranges(self)
        if self.site and self.body:
            raise ConfigError(f'site and body exclude each other, got {self.site} and {self.body}')


@dataclass(frozen=True, kw_only=True, slots=True)
class MeasurementOptions:
    """How recordings are read and cut into sequences."""

    topics: Mapping[str, TopicOptions] = ranged(default_factory=dict)
    """Options by topic."""
    joints: Mapping[str, str] = ranged(default_factory=dict)
    """The joint of the model for each name in joint states; by default, the same name."""
    prefix: str = ''
    """The prefix of the robot's joints and frames in the messages, which the model lacks; other
    joints are ignored."""
    units: Units = ''
    """The unit of the positions of hinges, and of their velocities per s; if empty, they must be
    in radians, which the range of each joint has to confirm."""
    time: Clock = 'received'
    """The times of messages: `received` by the recorder, or `stamp` of their headers."""
    start: float = ranged(0.0, minimum=0.0, unit='s')
    """The first time to use, since the start of each recording."""
    end: float = ranged(-1.0, above=0.0, special=-1.0, unit='s')
    """The last time to use; -1 for all."""
    length: float = ranged(5.0, minimum=0.5, maximum=600.0, unit='s')
    """The length of sequences without rests; between rests, half to one and a half times as
    long."""
    rest: float = ranged(0.2, minimum=0.02, maximum=10.0, unit='s')
    """The shortest rest at which the recording is cut."""
    longest_gap: float = ranged(5.0, minimum=1.5, maximum=1e6)
    """The longest time between two messages, in periods of their topic; a longer gap splits a
    sequence."""
    hold_out: float = ranged(0.25, minimum=0.0, maximum=0.5)
    """The share of sequences that judge the fitted model, and are not used to fit it."""

    def __post_init__(self) -> None:
        """Raises ConfigError if the times exclude each other."""
        check_ranges(self)
        if 0.0 < self.end <= self.start:
            raise ConfigError(f'end must be greater than start ({self.start:g}), got {self.end:g}')
