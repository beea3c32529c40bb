"""mujoco_ros_py.cable: an elastic cable with the attributes of `mujoco.elasticity.cable`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from ...engine_plugin_records import Capability
from ...inlined import inlined
from ...stack_arrays import Numbers
from ..engine_plugin import EnginePlugin
from ..instance import Instance
from ..plugin_attribute import Attribute, Value

_MINVAL = mujoco.mjMINVAL
_ROUND = int(mujoco.mjtGeom.mjGEOM_CAPSULE), int(mujoco.mjtGeom.mjGEOM_CYLINDER)
_BOX = int(mujoco.mjtGeom.mjGEOM_BOX)


class Cable(EnginePlugin):
    """An inextensible Kirchhoff rod: a chain of bodies, each a child of the previous body.

    Each body has a rotation relative to its parent: a rotation vector in the parent's frame, with
    x along the cable. The moment between two bodies is the difference between this rotation and
    the rotation at rest, times the stiffness of the cross-section, divided by the distance between
    the frames (Bergou et al., Discrete Elastic Rods, 2008). The first geom of a body determines
    its cross-section: a capsule, a cylinder or a box along x. Bodies with another first geom have
    no stiffness.
    """

    name = 'mujoco_ros_py.cable'
    capabilities = Capability.PASSIVE
    twist = Attribute(0.0, minimum=0.0)
    bend = Attribute(0.0, minimum=0.0)
    flat = Attribute(False)
    vmax = Attribute(0.0, minimum=0.0)

    @classmethod
    def parameters(cls, config: Mapping[str, Value], instance: Instance) -> dict[str, Any]:
        """Returns the parameters of the links between each body and the previous body."""
        model, bodies = instance.model, instance.bodies
        _check_chain(bodies, model.body_parentid)
        lengths = np.linalg.norm(model.body_pos[bodies], axis=1)
        # The first body has no previous body: an infinite length makes the stiffness 0.
        lengths[0] = np.inf
        if not lengths.all():
            raise ValueError(
                f'body {bodies[lengths == 0][0]} must not be at the position of its parent'
            )
        moduli = np.array([config['twist'], config['bend'], config['bend']])
        geoms = np.where(model.body_geomnum[bodies] > 0, model.body_geomadr[bodies], -1)
        rest = [_rotation_vector(*quat) for quat in model.body_quat[bodies].tolist()]
        return {
            'vmax': config['vmax'],
            'bodies': bodies,
            'geoms': geoms,
            'stiffness': _sections(model, geoms) * moduli / lengths[:, None],
            'rest': np.array(rest) * (not config['flat']),
        }

    @staticmethod
    def compute_passive(p: np.record, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Adds the moment of each link; it only affects the joints of the link's child."""
        for link in range(1, len(p.bodies)):
            body = p.bodies[link]
            x, y, z = _moment(p, link, data)
            frame = data.xmat[body]
            world_x = frame[0] * x + frame[1] * y + frame[2] * z
            world_y = frame[3] * x + frame[4] * y + frame[5] * z
            world_z = frame[6] * x + frame[7] * y + frame[8] * z
            first = model.body_dofadr[body]
            for dof in range(first, first + model.body_dofnum[body]):
                axis = data.cdof[dof]
                work = axis[0] * world_x + axis[1] * world_y + axis[2] * world_z
                data.qfrc_passive[dof] += work

    @staticmethod
    def visualize(
        p: np.record,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        option: mujoco.MjvOption,
        scene: mujoco.MjvScene,
    ) -> None:
        """Colours the first geom of each body from blue to red by the mean moment at its ends.

        Moments of at least `vmax` (N m) are red; if `vmax` is 0, the colours do not change.
        """
        count = len(p.bodies)
        if p.vmax == 0.0 or count == 1:
            return
        before = 0.0, 0.0, 0.0
        for link in range(count):
            after = _moment(p, link + 1, data) if link + 1 < count else (0.0, 0.0, 0.0)
            ends = 1.0 if link in (0, count - 1) else 2.0
            x, y, z = before[0] + after[0], before[1] + after[1], before[2] + after[2]
            if p.geoms[link] >= 0:
                heat = math.sqrt(x * x + y * y + z * z) / ends / p.vmax
                _paint(model.geom_rgba[p.geoms[link]], heat)
            before = after


class ElasticityCable(Cable):
    """The cable under its original name, for MuJoCo 4.0 and newer, which removed that plugin."""

    name = 'mujoco.elasticity.cable'


@inlined
def _moment(p: np.record, link: int, data: mujoco.MjData) -> Any:
    """Returns the torque on a link's child in the child's frame, in N m."""
    w, x, y, z = _relative(data.xquat[p.bodies[link - 1]], data.xquat[p.bodies[link]])
    turn, rest, stiffness = _rotation_vector(w, x, y, z), p.rest[link], p.stiffness[link]
    a = stiffness[0] * (rest[0] - turn[0])
    b = stiffness[1] * (rest[1] - turn[1])
    c = stiffness[2] * (rest[2] - turn[2])
    # Rotates from the parent's frame: v + 2 w (v x u) + 2 u x (u x v), with u = x, y, z.
    s, t, r = 2.0 * (b * z - c * y), 2.0 * (c * x - a * z), 2.0 * (a * y - b * x)
    return (
        a + w * s + t * z - r * y,
        b + w * t + r * x - s * z,
        c + w * r + s * y - t * x,
    )


@inlined
def _relative(parent: Numbers, child: Numbers) -> Any:
    """Returns the quaternion of the child's frame in the parent's frame."""
    w, x, y, z = parent[0], -parent[1], -parent[2], -parent[3]
    return (
        w * child[0] - x * child[1] - y * child[2] - z * child[3],
        w * child[1] + x * child[0] + y * child[3] - z * child[2],
        w * child[2] - x * child[3] + y * child[0] + z * child[1],
        w * child[3] + x * child[2] - y * child[1] + z * child[0],
    )


@inlined
def _rotation_vector(w: float, x: float, y: float, z: float) -> Any:
    """Returns the shortest rotation vector of a quaternion, in rad."""
    sine = math.sqrt(x * x + y * y + z * z)
    angle = 2.0 * math.atan2(sine, w)
    if angle > math.pi:
        angle -= 2.0 * math.pi
    factor = angle / max(sine, _MINVAL)
    return x * factor, y * factor, z * factor


@inlined
def _paint(rgba: NDArray[np.float32], heat: float) -> None:
    """Sets a colour: blue, cyan, green, yellow, red at 0, 1/4, 1/2, 3/4, 1."""
    level = 4.0 * min(heat, 1.0)
    rgba[0] = min(1.0, max(0.0, level - 2.0))
    rgba[1] = min(1.0, level, 4.0 - level)
    rgba[2] = min(1.0, max(0.0, 2.0 - level))


def _check_chain(bodies: NDArray[np.int32], parents: NDArray[np.int32]) -> None:
    if not len(bodies):
        raise ValueError('must act on at least one body')
    for before, body in itertools.pairwise(bodies):
        if parents[body] != before:
            raise ValueError(
                f'bodies must form one chain: {body} must be a child of {before},'
                f' but is a child of {parents[body]}'
            )


def _sections(model: mujoco.MjModel, geoms: NDArray[np.int64]) -> Numbers:
    """Returns each geom's torsion constant and second moments of area about y and z (m^4)."""
    types, sizes = model.geom_type, model.geom_size
    return np.array([_section(types[g], sizes[g]) if g >= 0 else (0.0,) * 3 for g in geoms])


def _section(kind: int, size: Numbers) -> tuple[float, float, float]:
    """Returns the constants of one cross-section.

    The torsion constant of a box is Roark's approximation (Formulas for Stress and Strain).
    """
    if kind in _ROUND:
        area_moment = math.pi * size[0] ** 4 / 4
        return 2 * area_moment, area_moment, area_moment
    if kind != _BOX:
        return 0.0, 0.0, 0.0
    y, z = float(size[1]), float(size[2])
    long, short = max(y, z), min(y, z)
    slender = 16 / 3 - 3.36 * short / long * (1 - short**4 / (12 * long**4))
    return long * short**3 * slender, 4 / 3 * y * z**3, 4 / 3 * z * y**3
