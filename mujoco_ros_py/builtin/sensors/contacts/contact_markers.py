"""Arrows that show the forces of contacts in RViz."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ....plugins import State, compiled, ros_type
from ....plugins.compiled_code import set_length, set_stamp
from .found_contacts import force_on_first, set_arrow, sign_of

Point = ros_type('geometry_msgs/msg/Point')
Vector3 = ros_type('geometry_msgs/msg/Vector3')
ColorRGBA = ros_type('std_msgs/msg/ColorRGBA')
Header = ros_type('std_msgs/msg/Header')
Marker = ros_type('visualization_msgs/msg/Marker')
MarkerArray = ros_type('visualization_msgs/msg/MarkerArray')


_SHAFT, _HEAD = 0.01, 0.02
"""The diameters of the shaft and of the head of an arrow, in m."""
_ORANGE = 0.95, 0.45, 0.13
_NO_ARROW = -1
"""The id of the marker that removes all arrows; RViz refuses two of the same id in a message."""


def marker_template(frame_id: str, most: int) -> Any:
    """Returns a message that removes all arrows, and adds the largest number of new ones."""
    red, green, blue = _ORANGE
    header = Header(frame_id=frame_id)
    markers = [Marker(header=header, ns='contacts', id=_NO_ARROW, action=Marker.DELETEALL)]
    markers += [
        Marker(
            header=header, ns='contacts', id=number, type=Marker.ARROW, action=Marker.ADD,
            scale=Vector3(x=_SHAFT, y=_HEAD), points=[Point(), Point()],
            color=ColorRGBA(r=red, g=green, b=blue, a=1.0),
        )
        for number in range(most)
    ]  # fmt: skip
    return MarkerArray(markers=markers)


@compiled
def fill_markers(
    state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any, ros_time: float
) -> None:
    """Writes an arrow for the force on the first geom of each contact."""
    set_length(message, 'markers', state.most + 1)
    set_stamp(message.markers[0].header.stamp, ros_time)
    force, torque, count = np.empty(3), np.empty(3), 0
    for number in range(data.ncon):
        contact = data.contact[number]
        sign = sign_of(state, contact)
        if sign == 0 or count >= state.most:
            continue
        count += 1
        marker = message.markers[count]
        set_stamp(marker.header.stamp, ros_time)
        force_on_first(model, data, number, sign, force, torque)
        set_arrow(marker, contact.pos, state.scale, force)
    set_length(message, 'markers', count + 1)
