"""Reads the <ros2_control> elements of a URDF."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from .drives import INTERFACES, Drive, driven_joint
from .left_out import LeftOut
from .robot import Joint, Mimic, Robot
from .robot_reading import unknown
from .tag import Tag

_TAG = 'ros2_control'


def ros2_control_drives(robot: Robot, left_out: LeftOut) -> list[Drive]:
    """Returns a drive for each command interface, in file order.

    Raises UrdfError for an unknown joint and for invalid limits.
    """
    found: dict[tuple[str, str], Drive] = {}
    for system in robot.tag.all(_TAG):
        for kind in ('sensor', 'gpio'):
            for tag in system.all(kind):
                left_out.add(f'<{kind}> in <ros2_control>', tag.word('name', 'without a name'))
        for tag in system.all('joint'):
            joint = driven_joint(tag, robot, left_out)
            for drive in [] if joint is None else _drives(tag, joint, left_out):
                found.setdefault((drive.joint.name, drive.interface), drive)
    return list(found.values())


def has_ros2_control(robot: Robot) -> bool:
    """Returns whether the URDF has a <ros2_control> element."""
    return robot.tag.first(_TAG) is not None


def with_mimic_parameters(robot: Robot) -> Robot:
    """Adds mimic joints that are defined only in <ros2_control>; returns the changed robot."""
    joints = dict(robot.joints)
    for system in robot.tag.all(_TAG):
        for tag in system.all('joint'):
            parameters = _parameters(tag)
            joint = joints.get(tag.word('name'))
            if joint is None or joint.mimic is not None or 'mimic' not in parameters:
                continue
            followed = parameters['mimic'].text.strip()
            if followed not in joints:
                raise tag.error(f'mimic: {unknown("joint", followed, joints)}')
            mimic = Mimic(
                tag=tag,
                joint=followed,
                multiplier=_number(parameters, 'multiplier', 1.0),
                offset=_number(parameters, 'offset', 0.0),
            )
            if joint.is_single and followed != joint.name:
                joints[joint.name] = replace(joint, mimic=mimic)
    return replace(robot, joints=joints)


def _drives(tag: Tag, joint: Joint, left_out: LeftOut) -> Iterator[Drive]:
    for state in tag.all('state_interface'):
        if 'initial_value' in _parameters(state):
            left_out.add(
                'initial values in <ros2_control> (use initial_joint_positions.joint_map instead),'
                ' in joints',
                joint.name,
            )
    for command in tag.all('command_interface'):
        interface = command.word('name')
        if interface not in INTERFACES:
            left_out.add(f'command interfaces {interface!r}, in joints', joint.name)
            continue
        parameters = _parameters(command)
        least = _number(parameters, 'min', -math.inf)
        greatest = _number(parameters, 'max', math.inf)
        if least >= greatest:
            raise command.error(f'min must be below max, got {least:g} and {greatest:g}')
        yield Drive(joint=joint, interface=interface, least=least, greatest=greatest)


def _parameters(tag: Tag) -> dict[str, Tag]:
    return {each.word('name'): each for each in tag.all('param')}


def _number(parameters: dict[str, Tag], name: str, default: float) -> float:
    tag = parameters.get(name)
    if tag is None:
        return default
    try:
        value = float(tag.text)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise tag.error(f'must be a number, got {tag.text.strip()!r}')
    return value
