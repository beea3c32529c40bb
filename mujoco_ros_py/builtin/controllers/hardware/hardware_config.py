"""The configuration of the TopicBasedHardware plugin, and what a URDF adds to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ....config import ranged
from ....config.wording import unknown
from ....errors import ConfigError
from ..commands.set_points import SetPointConfig
from ..drive.drive_config import DriveConfig, Interface
from .declared_hardware import declared_hardware, topic_hardware

KINDS: tuple[Interface, ...] = ('position', 'velocity', 'effort')
_NO_INTERFACE = 'none'
_TOPICS = {
    'joint_commands_topic': '/robot_joint_commands',
    'joint_states_topic': '/robot_joint_states',
}
"""The topics of the component by the names of its parameters, which are also ours."""


@dataclass(frozen=True, slots=True)
class Hardware:
    """The hardware, by a configuration and a URDF."""

    commands: Mapping[str, tuple[Interface, ...]]
    """The command interfaces of each joint; the first one drives it."""
    states: Mapping[str, tuple[Interface, ...]]
    """The state interfaces of each joint."""
    commands_topic: str
    states_topic: str


@dataclass(frozen=True, kw_only=True, slots=True)
class TopicBasedHardwareConfig(SetPointConfig, DriveConfig):
    """The configuration of the TopicBasedHardware plugin."""

    joints: Mapping[str, str | tuple[str, ...]] = ranged(default_factory=dict)
    """The command interfaces of each joint of the hardware, as its URDF names them: position,
    velocity, effort, or a list of them, of which the first one drives the joint; none for a joint
    without, such as a mimic joint. By default, the <ros2_control> tag of the robot's URDF gives
    the joints and their interfaces."""
    states: Mapping[str, str | tuple[str, ...]] = ranged(default_factory=dict)
    """The state interfaces of each joint, as its URDF names them: position, velocity, effort, a
    list of them, or none. A joint that is not named has those that the <ros2_control> tag of the
    robot's URDF declares, and all three without one."""
    system: str = ''
    """The name of the <ros2_control> tag, if the URDF has several with such a component."""
    joint_commands_topic: str = ''
    """The topic of the commands (sensor_msgs/JointState), to which the hardware publishes; by
    default that of the <ros2_control> tag, or else /robot_joint_commands."""
    joint_states_topic: str = ''
    """The topic of the states (sensor_msgs/JointState), to which the hardware subscribes; by
    default that of the <ros2_control> tag, or else /robot_joint_states."""
    update_rate: float = ranged(100.0, above=0.0, maximum=10_000.0, unit='Hz')
    """The update rate of the controller manager, in simulated time: /clock has the time of each
    update."""
    rate: float = ranged(0.0, minimum=0.0, maximum=10_000.0, unit='Hz')
    """States per second of simulated time, at most one for each step; 0: one for each update. A
    higher rate, which must be a multiple of that of the updates, shows the effect of a command
    sooner."""

    def __post_init__(self) -> None:
        for key, of_joints in (('joints', self.joints), ('states', self.states)):
            for name, given in of_joints.items():
                kinds = (given,) if isinstance(given, str) else given
                if kinds != (_NO_INTERFACE,) and not (kinds and set(kinds) <= set(KINDS)):
                    raise ConfigError(
                        f'{key}.{name} must be position, velocity, effort, a list of them, or'
                        f' none, got {given!r}'
                    )

    def hardware(self, urdf: str) -> Hardware:
        """Returns the hardware of a robot, whose URDF may be empty.

        Raises ConfigError for joints that are not there, or without one that can be commanded.
        """
        from_tag = self.system or not self.joints
        declared = topic_hardware(urdf, self.system) if from_tag else declared_hardware(urdf)
        commands = self.joints or declared.commands
        for name in self.states:
            if name not in commands:
                raise ConfigError(f'states: {unknown("joint", name, commands)}')
        made = Hardware(
            {name: _interfaces(kinds) for name, kinds in commands.items()},
            {
                name: _interfaces(self.states.get(name, declared.states.get(name, KINDS)))
                for name in commands
            },
            *(
                getattr(self, name) or declared.parameters.get(name) or default
                for name, default in _TOPICS.items()
            ),
        )
        if not any(made.commands.values()):
            raise ConfigError('joints must have one with a command interface')
        return made


def _interfaces(given: str | tuple[str, ...]) -> tuple[Interface, ...]:
    """Returns the interfaces among the words, in their order; a URDF may name others too."""
    words = (given,) if isinstance(given, str) else given
    return tuple(kind for each in words for kind in KINDS if kind == each)
