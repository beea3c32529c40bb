"""Compiled functions that select the reported contacts and compute their forces.

`state` has the fields of `ContactPairs.fields`.
"""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ....plugins import State
from ....plugins.compiled_code import inlined, numbers_at, set_length
from ...transforms.compiled_poses import set_point
from .contact_pairs import FIRST, NUMBER_BYTES, SECOND


@inlined
def sign_of(state: State, contact: Any) -> int:
    """Returns 1 to report a contact, -1 to report it with its geoms swapped, 0 to skip it.

    Skips nearby geoms without contact force, and contacts of flexes.
    """
    one, other = contact.geom[0], contact.geom[1]
    if contact.efc_address < 0 or one < 0 or other < 0:
        return 0
    roles = numbers_at(state.roles, state.ngeom)
    of_one, of_other = int(roles[one]), int(roles[other])
    if of_one & FIRST and of_other & SECOND:
        return 1
    return -1 if of_one & SECOND and of_other & FIRST else 0


@inlined
def force_on_first(
    model: mujoco.MjModel, data: mujoco.MjData, number: int, sign: int, force: Any, torque: Any
) -> None:
    """Writes the force in N and the torque in N m on the first geom, in the world frame.

    MuJoCo computes both in the contact frame, whose axes are the rows of `frame`. The first axis
    is the normal, from the contact's first geom to its second; MuJoCo's force acts on the second
    geom.
    """
    wrench = np.empty(6)
    mujoco.mj_contactForce(model, data, number, wrench)
    frame = data.contact[number].frame
    for axis in range(3):
        force[axis] = torque[axis] = 0.0
        for row in range(3):
            force[axis] -= sign * wrench[row] * frame[3 * row + axis]
            torque[axis] -= sign * wrench[3 + row] * frame[3 * row + axis]


@inlined
def set_arrow(marker: Any, position: Any, scale: float, force: Any) -> None:
    """Sets an arrow that starts at a position and ends there plus `scale` times the force."""
    start, end = marker.points[0], marker.points[1]
    set_point(start, position)
    end.x = start.x + scale * force[0]
    end.y = start.y + scale * force[1]
    end.z = start.z + scale * force[2]


@inlined
def set_geom_name(state: State, entity: Any, geom: int) -> None:
    """Writes a geom's name into a ros_gz_interfaces/Entity."""
    length = int(numbers_at(state.geom_lengths, state.ngeom)[geom])
    names = numbers_at(state.geom_names + geom * state.width * NUMBER_BYTES, state.width)
    set_length(entity, 'name', length)
    _copy(entity.name, names.view(np.uint8))


@inlined
def set_body_name(state: State, text: Any, geom: int) -> None:
    """Writes the name of a geom's body into a std_msgs/String."""
    length = int(numbers_at(state.body_lengths, state.ngeom)[geom])
    names = numbers_at(state.body_names + geom * state.width * NUMBER_BYTES, state.width)
    set_length(text, 'data', length)
    _copy(text.data, names.view(np.uint8))


@inlined
def _copy(text: Any, name: Any) -> None:
    for k in range(len(text)):
        text[k] = name[k]
