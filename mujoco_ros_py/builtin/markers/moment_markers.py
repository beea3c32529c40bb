"""Compiled functions that write the markers of the current state."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ...plugins import State, compiled
from ...plugins.compiled_code import inlined, numbers_at, set_length, set_stamp
from ..sensors.contacts.found_contacts import force_on_first, set_arrow
from ..transforms.compiled_poses import set_point, set_rotation

_ADD, _DELETE, _DELETE_ALL = 0, 2, 3
"""The actions of visualization_msgs/Marker."""
POINTS_OF_WRAP = 4
"""The maximum number of line points per element of a tendon's path: a path can touch a geom at two
points, and from each of them starts a line of two points."""
_REPEATED = 20
"""The minimum number of messages that repeat a marker's removal, because busy viewers may miss
messages."""
_PULLEY = -2
"""The value of `wrap_obj` where a tendon's path is interrupted."""


@compiled
def fill_moment(
    state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any, ros_time: float
) -> None:
    """Writes tendons, contacts and forces; removes the markers of ended contacts."""
    first = 1 + state.tendon_count
    set_length(message, 'markers', first + state.most * state.stride)
    head = message.markers[0]
    set_stamp(head.header.stamp, ros_time)
    head.action = _DELETE_ALL if state.fresh else _DELETE  # _DELETE has no effect here
    state.fresh = 0
    tendons = numbers_at(state.tendons, max(1, state.tendon_count))
    for k in range(state.tendon_count):
        marker = message.markers[1 + k]
        set_stamp(marker.header.stamp, ros_time)
        _write_path(marker, model, data, int(tendons[k]))
    count = 0
    if state.most > 0:
        count = _write_contacts(state, model, data, message, first, ros_time)
    state.recent = max(state.recent, count)
    told = max(state.earlier, state.recent)
    for k in range(first + count * state.stride, first + told * state.stride):
        marker = message.markers[k]
        set_stamp(marker.header.stamp, ros_time)
        marker.action = _DELETE
    state.messages += 1
    if state.messages == _REPEATED:
        state.earlier, state.recent, state.messages = state.recent, count, 0
    set_length(message, 'markers', first + told * state.stride)


@inlined
def _write_path(marker: Any, model: mujoco.MjModel, data: mujoco.MjData, tendon: int) -> None:
    """Writes the lines of a tendon's path."""
    set_length(marker, 'points', POINTS_OF_WRAP * model.tendon_num[tendon])
    start, count = data.ten_wrapadr[tendon], 0
    for k in range(start, start + data.ten_wrapnum[tendon] - 1):
        row, next_row, side, next_side = k // 2, (k + 1) // 2, k % 2, (k + 1) % 2
        if data.wrap_obj[row, side] == _PULLEY or data.wrap_obj[next_row, next_side] == _PULLEY:
            continue
        set_point(marker.points[count], data.wrap_xpos[row, 3 * side : 3 * side + 3])
        end = data.wrap_xpos[next_row, 3 * next_side : 3 * next_side + 3]
        set_point(marker.points[count + 1], end)
        count += 2
    marker.action = _ADD if count else _DELETE
    set_length(marker, 'points', count)


@inlined
def _write_contacts(
    state: State,
    model: mujoco.MjModel,
    data: mujoco.MjData,
    message: Any,
    first: int,
    ros_time: float,
) -> int:
    """Writes a disc and an arrow for each contact; returns the number of contacts."""
    own = numbers_at(state.own, state.geom_count)
    count = 0
    for number in range(data.ncon):
        contact = data.contact[number]
        one, other = contact.geom[0], contact.geom[1]
        is_own = state.all_own or (one >= 0 and own[one] > 0) or (other >= 0 and own[other] > 0)
        if not is_own or count >= state.most:
            continue
        at = first + count * state.stride
        if state.contacts >= 0:
            disc = message.markers[at + state.contacts]
            set_stamp(disc.header.stamp, ros_time)
            disc.action = _ADD
            _write_disc(disc, contact)
        if state.forces >= 0:
            arrow = message.markers[at + state.forces]
            set_stamp(arrow.header.stamp, ros_time)
            acts = contact.efc_address >= 0
            arrow.action = _ADD if acts else _DELETE
            if acts:
                _write_arrow(arrow, state, model, data, number)
        count += 1
    return count


@inlined
def _write_disc(disc: Any, contact: Any) -> None:
    """Sets the pose of a contact's disc, whose axis is the contact normal."""
    quat = np.empty(4)
    mujoco.mju_quatZ2Vec(quat, contact.frame[:3])
    set_point(disc.pose.position, contact.pos)
    set_rotation(disc.pose.orientation, quat)


@inlined
def _write_arrow(
    arrow: np.record, state: State, model: mujoco.MjModel, data: mujoco.MjData, number: int
) -> None:
    """Writes the force on the second geom, or on the first geom if the second cannot move."""
    force, torque = np.empty(3), np.empty(3)
    contact = data.contact[number]
    sign = -1
    other = contact.geom[1]
    if other >= 0 and model.body_weldid[model.geom_bodyid[other]] == 0:
        sign = 1
    force_on_first(model, data, number, sign, force, torque)
    set_arrow(arrow, contact.pos, state.metres_per_newton, force)
