"""The hardware that the URDF of a robot declares for ros2_control."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ....config.wording import unknown
from ....errors import ConfigError
from ...descriptions.described_robot import parsed

_TAG = 'ros2_control'
_PLUGINS = 'JointStateTopicSystem', 'TopicBasedSystem'
"""The last parts of the names of components that talk by topics."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DeclaredHardware:
    """The <ros2_control> tags of a robot, or one of them."""

    commands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The command interfaces by joint; none for a mimic joint."""
    states: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The state interfaces by joint."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """The parameters of the component; none of several components."""


def declared_hardware(urdf: str) -> DeclaredHardware:
    """Returns all that the <ros2_control> tags of a URDF declare; the text may be empty."""
    return _merged(_tags(urdf))


def topic_hardware(urdf: str, system: str) -> DeclaredHardware:
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


def _merged(tags: list[Any]) -> DeclaredHardware:
    joints = {str(each.get('name', '')): each for tag in tags for each in tag.iterfind('joint')}
    return DeclaredHardware(
        commands={name: _interfaces(joint, 'command') for name, joint in joints.items()},
        states={name: _interfaces(joint, 'state') for name, joint in joints.items()},
        parameters={
            str(each.get('name', '')): (each.text or '').strip()
            for tag in (tags if len(tags) == 1 else ())
            for each in tag.iterfind('hardware/param')
        },
    )


def _interfaces(joint: Any, kind: str) -> tuple[str, ...]:
    return tuple(str(each.get('name', '')) for each in joint.iterfind(f'{kind}_interface'))
