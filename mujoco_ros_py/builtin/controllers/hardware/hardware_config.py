"""The configuration of the TopicBasedHardware plugin, and what the URDF declares of it."""

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
"""The topics of the component by the names of its parameters, which are also ours."""
_TAG = 'ros2_control'
_PLUGINS = 'JointStateTopicSystem', 'TopicBasedSystem'
"""The last parts of the names of components that talk by topics."""


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
class _Declared:
    """The <ros2_control> tags of a robot, or one of them."""

    commands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The command interfaces by joint; none for a mimic joint."""
    states: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The state interfaces by joint."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """The parameters of the component; none of several components."""


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
            raise ConfigError('joints must have one with a command interface')
        return made


def _interfaces(given: str | tuple[str, ...]) -> tuple[Interface, ...]:
    """Returns the interfaces among the words, in their order; a URDF may name others too."""
    words = (given,) if isinstance(given, str) else given
    return tuple(kind for each in words for kind in KINDS if kind == each)


def _declared_hardware(urdf: str) -> _Declared:
    """Returns all that the <ros2_control> tags of a URDF declare; the text may be empty."""
    return _merged(_tags(urdf))


def _topic_hardware(urdf: str, system: str) -> _Declared:
    """Returns the hardware of the tag named `system`, or of the only one that talks by topics.

    Raises ConfigError if there is no such tag, or if there are several.
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
        'joints must be given, as the robot has no URDF with a <ros2_control> tag whose component'
        f' is joint_state_topic_hardware_interface/JointStateTopicSystem{of_urdf}'
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
