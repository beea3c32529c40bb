"""A robot as described by its URDF, before the conversion to a model."""

from __future__ import annotations

from dataclasses import dataclass

from .tag import Tag, Vector

FIXED = 'fixed'
SINGLE = 'revolute', 'continuous', 'prismatic'
"""The joint types with a single position, which can be driven and can mimic other joints."""
TYPES = (*SINGLE, FIXED, 'floating', 'planar', 'spherical')


@dataclass(frozen=True, kw_only=True, slots=True)
class Pose:
    """The pose of a frame in another frame."""

    xyz: Vector = (0.0, 0.0, 0.0)
    """The position in m."""
    rpy: Vector = (0.0, 0.0, 0.0)
    """Roll, pitch and yaw about fixed axes, in radians."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Inertial:
    """The mass of a link, its centre of mass, and the moments of inertia about that centre."""

    pose: Pose
    mass: float
    """The mass in kg as written, possibly negative."""
    inertia: Vector
    """The moments ixx, ixy, ixz, iyy, iyz, izz about the centre of mass, in kg m^2."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Material:
    """The colour or the texture of a visual."""

    name: str = ''
    rgba: Vector | None = None
    texture: str = ''
    """The name of an image file; empty if the material has no texture."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """The shape of a <visual> or <collision> of a link."""

    tag: Tag
    """The element of the shape, such as <box>."""
    kind: str
    """box, cylinder, sphere, capsule or mesh."""
    pose: Pose
    size: Vector = ()
    """The side lengths of a box; radius and length of a cylinder or capsule; the radius of a
    sphere; the scale factors of a mesh."""
    file: str = ''
    """The file name of a mesh."""
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
    """Makes a joint follow another joint: position = multiplier * other position + offset."""

    tag: Tag
    joint: str
    """The name of the followed joint."""
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
    """The lower position limit, in rad or m; -inf if unlimited."""
    upper: float
    """The upper position limit, in rad or m; inf if unlimited."""
    effort: float
    """The maximum effort, in N m or N; inf if unlimited."""
    velocity: float
    """The maximum speed, in rad/s or m/s; inf if unlimited."""
    damping: float
    friction: float
    mimic: Mimic | None

    @property
    def is_single(self) -> bool:
        """Whether the joint has a single position."""
        return self.type in SINGLE


@dataclass(frozen=True, kw_only=True, slots=True)
class Robot:
    """A robot as its URDF describes it."""

    tag: Tag
    name: str
    links: dict[str, Link]
    """The links by name, in file order."""
    joints: dict[str, Joint]
    """The joints by name, in file order."""
