"""The configuration of the TopicBasedHardware plugin, and the hardware declared in the URDF."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ....config import ranged
from ....config.wording import unknown
from ....errors import ConfigError
from ...descriptions.described_robot import parsed
from ..commands.set_points import SetPointConfig
from ..drive.drive_config import DriveConfig, Interface

KINDS: tuple[Interface, ...] = ('position', 'velocity', 'effort')
_NO_INTERFACE = 'none'
_TOPICS = {
    'joint_commands_topic': '/robot_joint_commands',
    'joint_states_topic': '/robot_joint_states',
}
"""The default topics, by parameter name; the hardware component and the plugin use the same names
for these parameters."""
_TAG = 'ros2_control'
_PLUGINS = 'JointStateTopicSystem', 'TopicBasedSystem'
"""The last parts of the names of components that communicate by topics."""


@dataclass(frozen=True, slots=True)
class Hardware:
    """The hardware described by a configuration and a URDF."""

    commands: Mapping[str, tuple[Interface, ...]]
    """The command interfaces of each joint; the first interface drives the joint."""
    states: Mapping[str, tuple[Interface, ...]]
    """The state interfaces of each joint."""
    commands_topic: str
    states_topic: str


@dataclass(frozen=True, kw_only=True, slots=True)
class _Declared:
    """The content of all <ros2_control> tags of a robot, or of one tag."""

    commands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The command interfaces by joint; empty for a mimic joint."""
    states: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The state interfaces by joint."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """The parameters of the tag's hardware component; empty for several tags."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TopicBasedHardwareConfig(SetPointConfig, DriveConfig):
    """The configuration of the TopicBasedHardware plugin."""

    joints: Mapping[str, str | tuple[str, ...]] = ranged(default_factory=dict)
    """Command interfaces of each joint of the hardware, with the joint names of the URDF:
    position, velocity, effort, or a list of interfaces (the first interface drives the joint);
    none for a joint without a command interface, for example a mimic joint. By default, the
    <ros2_control> tag of the robot's URDF defines the joints and their interfaces."""
    states: Mapping[str, str | tuple[str, ...]] = ranged(default_factory=dict)
    """State interfaces of each joint, with the joint names of the URDF: position, velocity,
    effort, a list of interfaces, or none. Other joints have the interfaces declared in the
    <ros2_control> tag of the robot's URDF, or all three without a tag."""
    system: str = ''
    """Name of the <ros2_control> tag, if several tags in the URDF have a topic-based component."""
    joint_commands_topic: str = ''
    """Topic of the commands (sensor_msgs/JointState), published by the hardware component; by
    default the topic in the <ros2_control> tag, or else /robot_joint_commands."""
    joint_states_topic: str = ''
    """Topic of the states (sensor_msgs/JointState), subscribed to by the hardware component; by
    default the topic in the <ros2_control> tag, or else /robot_joint_states."""
    update_rate: float = ranged(100.0, above=0.0, maximum=10_000.0, unit='Hz')
    """Update rate of the controller manager, in simulated time; a /clock message is published
    at the time of each update."""
    rate: float = ranged(0.0, minimum=0.0, maximum=10_000.0, unit='Hz')
    """Rate of the states in simulated time, at most one per step; 0: one per update. A higher rate
    shows the effect of a command sooner; it must be a multiple of `update_rate`."""

    def __post_init__(self) -> None:
        for key, of_joints in (('joints', self.joints), ('states', self.states)):
            for name, given in of_joints.items():
                kinds = (given,) if isinstance(given, str) else given
                if kinds != (_NO_INTERFACE,) and not (kinds and set(kinds) <= set(KINDS)):
                    raise ConfigError(
                        f'{key}.{name} must be position, velocity, effort, a list of these, or'
                        f' none, got {given!r}'
                    )

    def hardware(self, urdf: str) -> Hardware:
        """Returns the hardware of a robot; the URDF can be empty.

        Raises ConfigError if joints are missing or unknown, or if no joint can be commanded.
        """
        from_tag = self.system or not self.joints
        declared = _topic_hardware(urdf, self.system) if from_tag else _declared_hardware(urdf)
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
            raise ConfigError('at least one of the joints must have a command interface')
        return made


def _interfaces(given: str | tuple[str, ...]) -> tuple[Interface, ...]:
    """Returns the given interfaces in order; skips unknown interfaces, which a URDF may have."""
    words = (given,) if isinstance(given, str) else given
    return tuple(kind for each in words for kind in KINDS if kind == each)


def _declared_hardware(urdf: str) -> _Declared:
    """Returns the content of all <ros2_control> tags of a URDF; the text can be empty."""
    return _merged(_tags(urdf))


def _topic_hardware(urdf: str, system: str) -> _Declared:
    """Returns the content of the tag named `system`, or of the only tag for topic-based hardware.

    Raises ConfigError if the URDF has no matching tag or several.
    """
    tags = _tags(urdf)
    named = {str(tag.get('name', '')): tag for tag in tags}
    if system:
        if system not in named:
            raise ConfigError(f'system: {unknown("<ros2_control> tag", system, named)}')
        return _merged([named[system]])
    found = [tag for tag in tags if tag.findtext('hardware/plugin', '').strip().endswith(_PLUGINS)]
    if len(found) == 1:
        return _merged(found)
    if found:
        told = ', '.join(str(tag.get('name')) for tag in found)
        raise ConfigError(f'system must name one of the <ros2_control> tags of the URDF: {told}')
    there = ', '.join(tag.findtext('hardware/plugin', 'none').strip() for tag in tags)
    of_urdf = f'; the components of its URDF are: {there}' if there else ''
    raise ConfigError(
        'joints must be given, because the robot has no URDF with a <ros2_control> tag for'
        f' joint_state_topic_hardware_interface/JointStateTopicSystem{of_urdf}'
    )


def _tags(urdf: str) -> list[Any]:
    return list(parsed(urdf).iterfind(_TAG)) if urdf else []


def _merged(tags: list[Any]) -> _Declared:
    joints = {str(each.get('name', '')): each for tag in tags for each in tag.iterfind('joint')}
    return _Declared(
        commands={name: _declared(joint, 'command') for name, joint in joints.items()},
        states={name: _declared(joint, 'state') for name, joint in joints.items()},
        parameters={
            str(each.get('name', '')): (each.text or '').strip()
            for tag in (tags if len(tags) == 1 else ())
            for each in tag.iterfind('hardware/param')
        },
    )


def _declared(joint: Any, kind: str) -> tuple[str, ...]:
    return tuple(str(each.get('name', '')) for each in joint.iterfind(f'{kind}_interface'))
