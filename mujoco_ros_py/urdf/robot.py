"""What a URDF says of a robot, before it becomes a model."""

from __future__ import annotations

from dataclasses import dataclass

from .tag import Tag, Vector

FIXED = 'fixed'
SINGLE = 'revolute', 'continuous', 'prismatic'
"""The types of joints with one position, which may be driven and mimicked."""
TYPES = (*SINGLE, FIXED, 'floating', 'planar', 'spherical')


@dataclass(frozen=True, kw_only=True, slots=True)
class Pose:
    """The place of a frame in another one."""

    xyz: Vector = (0.0, 0.0, 0.0)
    """The position in m."""
    rpy: Vector = (0.0, 0.0, 0.0)
    """Roll, pitch and yaw about fixed axes, in radians."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Inertial:
    """The mass of a link, its centre, and the moments of inertia about it."""

    pose: Pose
    mass: float
    """The mass in kg, as it is written."""
    inertia: Vector
    """The moments ixx, ixy, ixz, iyy, iyz, izz about the centre of mass, in kg m^2."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Material:
    """The colour or the texture of a visual."""

    name: str = ''
    rgba: Vector | None = None
    texture: str = ''
    """The name of an image file; empty for none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """A visual or a collision of a link."""

    tag: Tag
    """The element that names the kind of the shape."""
    kind: str
    """The kind: box, cylinder, sphere, capsule or mesh."""
    pose: Pose
    size: Vector = ()
    """The lengths of a box; radius and length of a cylinder or a capsule; a radius; the factors
    of a mesh."""
    file: str = ''
    """The name of the file of a mesh."""
    name: str = ''
    material: Material | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Link:
    """A link of the robot."""

    tag: Tag
    name: str
    inertial: Inertial | None
    visuals: tuple[Shape, ...]
    collisions: tuple[Shape, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Mimic:
    """The joint that a joint follows: position = multiplier * position of the other + offset."""

    tag: Tag
    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Joint:
    """A joint of the robot."""

    tag: Tag
    name: str
    type: str
    parent: str
    child: str
    pose: Pose
    axis: Vector
    lower: float
    """The least position, in rad or m; -inf for none."""
    upper: float
    """The greatest position, in rad or m; inf for none."""
    effort: float
    """The greatest effort, in N m or N; inf for none."""
    velocity: float
    """The greatest speed, in rad/s or m/s; inf for none."""
    damping: float
    friction: float
    mimic: Mimic | None

    @property
    def is_single(self) -> bool:
        """Whether the joint has one position."""
        return self.type in SINGLE


@dataclass(frozen=True, kw_only=True, slots=True)
class Robot:
    """A robot as its URDF says it."""

    tag: Tag
    name: str
    links: dict[str, Link]
    """The links by name, in the order of the file."""
    joints: dict[str, Joint]
    """The joints by name, in the order of the file."""
