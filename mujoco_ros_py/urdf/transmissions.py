"""Reads the <transmission> elements of a URDF."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .drives import EFFORT, POSITION, VELOCITY, Drive, driven_joint
from .left_out import LeftOut
from .robot import Robot
from .tag import Tag

_INTERFACE = re.compile(r'(?:hardware_interface/)?(Position|PosVel|PosVelAcc|Velocity|Effort)\w*')
_OF = {
    'Position': POSITION,
    'PosVel': POSITION,
    'PosVelAcc': POSITION,
    'Velocity': VELOCITY,
    'Effort': EFFORT,
}
_SIMPLE = 'SimpleTransmission'


def transmission_drives(robot: Robot, left_out: LeftOut) -> list[Drive]:
    """Returns the drives of the transmissions with one joint and at most one actuator.

    Other transmissions are added to `left_out`. Raises UrdfError if a reduction is 0 or not a
    number.
    """
    found: dict[tuple[str, str], Drive] = {}
    for tag in robot.tag.all('transmission'):
        for drive in _drives(tag, robot, left_out):
            found.setdefault((drive.joint.name, drive.interface), drive)
    return list(found.values())


def _drives(tag: Tag, robot: Robot, left_out: LeftOut) -> Iterator[Drive]:
    name = tag.word('name', 'without a name')
    kind = tag.text_of('type') or tag.word('type', '')
    joints, actuators = list(tag.all('joint')), list(tag.all('actuator'))
    if not kind.endswith(_SIMPLE) or len(joints) != 1 or len(actuators) > 1:
        left_out.add('transmissions other than SimpleTransmission', name)
        return
    parts = [*joints, *actuators]
    interfaces = list(dict.fromkeys(i for part in parts for i in _interfaces(part)))
    if not interfaces:
        left_out.add('transmissions without a hardware interface for commands', name)
        return
    if joints[0].word('name') not in robot.joints:
        left_out.add('transmissions of unknown joints', name)
        return
    joint = driven_joint(joints[0], robot, left_out)
    if joint is None:
        return
    gear = next(filter(None, map(_reduction, [*reversed(parts), tag])), 1.0)
    actuator = actuators[0].word('name', '') if actuators and len(interfaces) == 1 else ''
    for interface in interfaces:
        yield Drive(joint=joint, interface=interface, gear=gear, name=actuator)


def _interfaces(part: Tag) -> Iterator[str]:
    for tag in part.all('hardwareInterface'):
        found = _INTERFACE.fullmatch(tag.text.strip())
        if found is not None:
            yield _OF[found[1]]


def _reduction(part: Tag) -> float | None:
    tag = part.first('mechanicalReduction')
    if tag is None or not tag.text.strip():
        return None
    read = Tag(tag.name, {'reduction': tag.text.strip()}, tag.line, tag.path).number('reduction')
    if read == 0.0:
        raise tag.error('must be a nonzero number, got 0')
    return read
