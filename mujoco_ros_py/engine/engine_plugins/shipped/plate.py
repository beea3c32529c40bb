"""mujoco_ros_py.plate: bending of thin elastic plates, on the triangles of a flex."""

from __future__ import annotations

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
from .plate_stiffness import bending_stiffness, rigidity


class Plate(EnginePlugin):
    """Computes forces -K (x + damping v) on the vertices of a shell that is flat at rest.

    The energy follows Kirchhoff's plate theory with `young` (Pa), `poisson` and `thickness` (m).
    It is quadratic in the positions, so K is constant. It sums over all three coordinates, so
    rotating the plate does not change it (Bergou et al., A Quadratic Bending Model for
    Inextensible Surfaces, 2006). The plate does not resist stretching. Edges are free. Pinning
    two rows of vertices along an edge clamps the plate midway between the two rows.
    """

    name = 'mujoco_ros_py.plate'
    capabilities = Capability.PASSIVE
    young = Attribute(0.0, minimum=0.0)
    poisson = Attribute(0.0, minimum=0.0, maximum=0.5)
    thickness = Attribute(0.0, minimum=0.0)
    damping = Attribute(0.0, minimum=0.0)

    @classmethod
    def parameters(cls, config: Mapping[str, Value], instance: Instance) -> dict[str, Any]:
        """Returns K in compressed sparse row format; `places` is scratch memory for one step."""
        for attribute in ('young', 'thickness'):
            if config[attribute] == 0.0:
                raise ValueError(f'{attribute} must be > 0, got 0')
        model, points = instance.model, _positions(instance.model)
        moduli = rigidity(config['young'], config['poisson'], config['thickness'])  # type: ignore[arg-type]
        plates = [
            bending_stiffness(points, triangles, moduli)
            for triangles in _plates(model, instance.bodies)
        ]
        rows, columns, values = map(np.concatenate, zip(*plates, strict=True))
        vertices, starts = np.unique(rows, return_index=True)
        bodies = model.flex_vertbodyid[vertices]
        return {
            'damping': config['damping'],
            'vertices': vertices,
            'bodies': bodies,
            'dofs': _last_dofs(model)[bodies],
            'starts': np.append(starts, len(rows)),
            'columns': np.searchsorted(vertices, columns),
            'stiffness': values,
            'places': np.zeros((len(vertices), 3)),
        }

    @staticmethod
    def compute_passive(p: np.record, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Adds the forces. Each row of K sums to zero, so only relative positions matter."""
        for row in range(len(p.vertices)):
            _look_ahead(p, row, model, data)
        # Needs a second loop, because each row reads the positions of its neighbours.
        for row in range(len(p.vertices)):
            if p.dofs[row] < 0:
                continue
            here = p.places[row]
            x, y, z = 0.0, 0.0, 0.0
            for entry in range(p.starts[row], p.starts[row + 1]):
                there, value = p.places[p.columns[entry]], p.stiffness[entry]
                x -= value * (there[0] - here[0])
                y -= value * (there[1] - here[1])
                z -= value * (there[2] - here[2])
            _push(p, row, model, data, x, y, z)


@inlined
def _look_ahead(p: np.record, row: int, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Writes x + damping v, the vertex position `damping` seconds ahead at constant velocity."""
    x, y, z = _lever(p, row, model, data)
    velocity, point = data.cvel[p.bodies[row]], data.flexvert_xpos[p.vertices[row]]
    place = p.places[row]
    place[0] = point[0] + p.damping * (velocity[3] + velocity[1] * z - velocity[2] * y)
    place[1] = point[1] + p.damping * (velocity[4] + velocity[2] * x - velocity[0] * z)
    place[2] = point[2] + p.damping * (velocity[5] + velocity[0] * y - velocity[1] * x)


@inlined
def _push(
    p: np.record,
    row: int,
    model: mujoco.MjModel,
    data: mujoco.MjData,
    x: float,
    y: float,
    z: float,
) -> None:
    """Adds a force (N) on a vertex to the joints of its body and of all ancestor bodies."""
    a, b, c = _lever(p, row, model, data)
    moment_x, moment_y, moment_z = b * z - c * y, c * x - a * z, a * y - b * x
    dof = p.dofs[row]
    while dof >= 0:
        axis = data.cdof[dof]
        turning = axis[0] * moment_x + axis[1] * moment_y + axis[2] * moment_z
        data.qfrc_passive[dof] += turning + axis[3] * x + axis[4] * y + axis[5] * z
        dof = model.dof_parentid[dof]


@inlined
def _lever(p: np.record, row: int, model: mujoco.MjModel, data: mujoco.MjData) -> Any:
    """Returns the vertex position relative to the origin of MuJoCo's spatial vectors."""
    centre = data.subtree_com[model.body_rootid[p.bodies[row]]]
    point = data.flexvert_xpos[p.vertices[row]]
    return point[0] - centre[0], point[1] - centre[1], point[2] - centre[2]


def _plates(model: mujoco.MjModel, bodies: NDArray[np.int32]) -> list[Any]:
    """Returns one array of triangles (rows of three vertex numbers) for each affected flex.

    A flex is affected if any of its vertices is one of the bodies. Raises ValueError if no flex is
    affected, or if an affected flex is not two-dimensional.
    """
    others = model.jnt_bodyid[model.jnt_type != int(mujoco.mjtJoint.mjJNT_SLIDE)]
    own = set(bodies[model.body_jntnum[bodies] > 0].tolist()) - set(others.tolist())
    found = []
    for flex in range(model.nflex):
        first, count = int(model.flex_vertadr[flex]), int(model.flex_vertnum[flex])
        if own.isdisjoint(model.flex_vertbodyid[first : first + count].tolist()):
            continue
        if model.flex_dim[flex] != 2:
            raise ValueError(f'flex {flex} must have dim 2, got {model.flex_dim[flex]}')
        start = int(model.flex_elemdataadr[flex])
        corners = model.flex_elem[start : start + 3 * int(model.flex_elemnum[flex])]
        found.append(first + corners.reshape(-1, 3))
    if not found:
        raise ValueError('must act on at least one body that is a vertex of a flex')
    return found


def _last_dofs(model: mujoco.MjModel) -> NDArray[np.int64]:
    """Returns the last degree of freedom that moves each body, or -1."""
    last, ends = np.full(model.nbody, -1), model.body_dofadr + model.body_dofnum - 1
    for body, parent in enumerate(model.body_parentid.tolist()):
        last[body] = ends[body] if ends[body] >= 0 else last[parent]
    return last


def _positions(model: mujoco.MjModel) -> Numbers:
    """Returns the flexes' vertices in world coordinates in the initial configuration."""
    parents, places, turns = model.body_parentid, model.body_pos.copy(), model.body_quat.copy()
    for body in range(1, model.nbody):
        parent = parents[body]
        places[body] = _placed(places[parent], turns[parent], places[body])
        mujoco.mju_mulQuat(turns[body], turns[parent], turns[body].copy())
    bodies = model.flex_vertbodyid
    vertices = zip(bodies, model.flex_vert, strict=True)
    return np.array([_placed(places[body], turns[body], local) for body, local in vertices])


def _placed(origin: Numbers, turn: Numbers, local: Numbers) -> Numbers:
    turned = np.empty(3)
    mujoco.mju_rotVecQuat(turned, np.ascontiguousarray(local), turn)
    return origin + turned
