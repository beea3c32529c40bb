"""Reads the <gazebo> elements of a URDF."""

from __future__ import annotations

from dataclasses import dataclass, field

from .left_out import LeftOut
from .robot import Robot
from .tag import Tag, Vector

_KNOWN_TO_LINKS = {
    'mu', 'mu1', 'mu2', 'selfCollide', 'self_collide', 'turnGravityOff', 'gravity', 'material',
}  # fmt: skip
_SATISFIED = {
    'disableFixedJointLumping', 'preserveFixedJoint', 'provideFeedback', 'provide_feedback',
    'implicitSpringDamper', 'cfmDamping', 'dampingFactor', 'static',
}  # fmt: skip
"""Elements ignored silently: converted models already behave this way, or need no such tuning."""
_SOLVING = {
    'kp', 'kd', 'minDepth', 'maxVel', 'fdir1', 'maxContacts', 'stopKp', 'stopKd', 'stopCfm',
    'stopErp', 'fudgeFactor', 'laserRetro',
}  # fmt: skip
_YES, _NO = ('true', '1'), ('false', '0')
_COLORS: dict[str, Vector] = {
    'Black': (0.0, 0.0, 0.0, 1.0),
    'Blue': (0.0, 0.0, 1.0, 1.0),
    'DarkGray': (0.175, 0.175, 0.175, 1.0),
    'DarkGrey': (0.175, 0.175, 0.175, 1.0),
    'FlatBlack': (0.1, 0.1, 0.1, 1.0),
    'Gold': (0.8, 0.65, 0.12, 1.0),
    'Gray': (0.7, 0.7, 0.7, 1.0),
    'Green': (0.0, 1.0, 0.0, 1.0),
    'Grey': (0.7, 0.7, 0.7, 1.0),
    'Indigo': (0.33, 0.0, 0.5, 1.0),
    'Orange': (1.0, 0.51, 0.04, 1.0),
    'Purple': (1.0, 0.0, 1.0, 1.0),
    'Red': (1.0, 0.0, 0.0, 1.0),
    'RedBright': (0.87, 0.26, 0.07, 1.0),
    'SkyBlue': (0.13, 0.44, 0.7, 1.0),
    'Turquoise': (0.0, 1.0, 1.0, 1.0),
    'White': (1.0, 1.0, 1.0, 1.0),
    'Yellow': (1.0, 1.0, 0.0, 1.0),
    'ZincYellow': (0.97, 0.96, 0.0, 1.0),
}


@dataclass(slots=True)
class LinkTags:
    """The Gazebo settings of a link."""

    friction: float | None = None
    """The coefficient of sliding friction."""
    weightless: bool = False
    self_collides: bool = True
    """Whether the link collides with other links of the robot."""
    rgba: Vector | None = None


@dataclass(slots=True)
class GazeboTags:
    """The Gazebo settings of a robot."""

    links: dict[str, LinkTags] = field(default_factory=dict)
    springs: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Maps joint names to the stiffness and rest position of the joint's spring."""


def gazebo_tags(robot: Robot, left_out: LeftOut) -> GazeboTags:
    """Returns the <gazebo> settings that MJCF can express; adds the others to `left_out`."""
    found = GazeboTags({name: LinkTags() for name in robot.links})
    for tag in robot.tag.all('gazebo'):
        name = tag.attributes.get('reference', '').strip()
        if name in robot.links:
            _read_link(tag, name, found.links[name], left_out)
        elif name in robot.joints:
            _read_joint(tag, name, found, left_out)
        elif name:
            left_out.add('<gazebo> elements for unknown links and joints', name)
        else:
            _read_robot(tag, found, left_out)
    return found


def _read_link(tag: Tag, name: str, link: LinkTags, left_out: LeftOut) -> None:
    _tell_rest(tag, _KNOWN_TO_LINKS, name, left_out)
    friction = [_number(each) for key in ('mu1', 'mu', 'mu2') for each in tag.all(key)]
    if friction:
        link.friction = friction[0]
        if any(value != friction[0] for value in friction):
            left_out.add('<mu2> values that differ from <mu1>, in links', name)
    if tag.text_of('selfCollide', 'self_collide') in _NO:
        link.self_collides = False
    if tag.text_of('turnGravityOff') in _YES or tag.text_of('gravity') in _NO:
        link.weightless = True
    color = tag.text_of('material')
    link.rgba = _COLORS.get(color.removeprefix('Gazebo/'), link.rgba)
    if color and color.removeprefix('Gazebo/') not in _COLORS:
        left_out.add('Gazebo materials other than plain colours, in links', name)


def _read_joint(tag: Tag, name: str, found: GazeboTags, left_out: LeftOut) -> None:
    spring = 'springStiffness', 'springReference'
    _tell_rest(tag, set(spring), name, left_out)
    stiffness, reference = (next(map(_number, tag.all(key)), 0.0) for key in spring)
    if stiffness:
        found.springs[name] = stiffness, reference


def _read_robot(tag: Tag, found: GazeboTags, left_out: LeftOut) -> None:
    known = {'selfCollide', 'self_collide'}
    _tell_rest(tag, known, tag.text_of('robotNamespace') or 'the robot', left_out)
    if tag.text_of(*known) in _NO:
        for link in found.links.values():
            link.self_collides = False


def _tell_rest(tag: Tag, known: set[str], name: str, left_out: LeftOut) -> None:
    for child in tag.children:
        if child.name.partition(':')[0] == 'sensor':
            told = 'Gazebo sensors (use sensor plugins instead)'
            left_out.add(told, child.attributes.get('name', name))
        elif child.name in _SOLVING:
            told = 'Gazebo solver settings for contacts and limits (<kp>, <kd> and the like)'
            left_out.add(told, name)
        elif child.name == 'plugin':
            left_out.add('Gazebo plugins', child.attributes.get('name', name))
        elif child.name not in known | _SATISFIED:
            left_out.add(f'<{child.name}> in <gazebo>', name)


def _number(tag: Tag) -> float:
    text = tag.text.strip() or tag.attributes.get('value', '')
    return Tag(tag.name, {'value': text}, tag.line, tag.path).at_least(0.0, 'value')
