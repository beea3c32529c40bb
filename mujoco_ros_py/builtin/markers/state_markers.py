"""Publishes tendons, contacts and contact forces of the current state."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import mujoco
import numpy as np

from ...plugins import MujocoPlugin, new_state, ros_type
from ...plugins.compiled_code import Memory
from ...plugins.topic_qos import STATES
from .moment_markers import POINTS_OF_WRAP, fill_moment
from .shown_elements import ShownElements, element_colors

Point = ros_type('geometry_msgs/msg/Point')
Pose = ros_type('geometry_msgs/msg/Pose')
Quaternion = ros_type('geometry_msgs/msg/Quaternion')
Vector3 = ros_type('geometry_msgs/msg/Vector3')
ColorRGBA = ros_type('std_msgs/msg/ColorRGBA')
Header = ros_type('std_msgs/msg/Header')
Marker = ros_type('visualization_msgs/msg/Marker')
MarkerArray = ros_type('visualization_msgs/msg/MarkerArray')

_NO_ID = -1
_OF_CONTACTS = 'contacts', 'forces'


class StateMarkers:
    """Publishes the markers of the changing state in the frame `world`, in compiled code.

    `show` can contain `tendons`, `contacts` and `forces`. `most_contacts` is the maximum number of
    contacts shown.
    """

    def __init__(
        self,
        plugin: MujocoPlugin[Any],
        topic: str,
        rate_hz: float,
        show: Collection[str],
        most_contacts: int,
    ) -> None:
        self._plugin, self._topic, self._rate_hz = plugin, topic, rate_hz
        self._show, self._most = show, most_contacts
        self._publisher: Any = None

    def draw(self, model: mujoco.MjModel, shown: ShownElements) -> None:
        """Replaces the published markers by the markers of this model."""
        template, state = self._template(model, shown), self._state(model, shown)
        if self._publisher is not None:
            self._publisher.replace(template=template, state=state)
            return
        self._publisher = self._plugin.ros.create_compiled_publisher(
            MarkerArray,
            self._topic,
            fill_moment,
            qos=STATES,
            rate_hz=self._rate_hz,
            derived='sensors' if {*_OF_CONTACTS} & {*self._show} else 'poses',
            copy_state=False,
            thread=True,
            only_heard=True,
            template=template,
            state=state,
        )

    def _state(self, model: mujoco.MjModel, shown: ShownElements) -> Any:
        own = np.isin(model.geom_bodyid, list(shown.bodies))
        kinds = [kind for kind in _OF_CONTACTS if kind in self._show]
        places = {kind: kinds.index(kind) if kind in kinds else -1 for kind in _OF_CONTACTS}
        return new_state(
            fresh=1,
            tendons=Memory(shown.tendons or [0.0]),
            tendon_count=len(shown.tendons),
            own=Memory(own if len(own) else [0.0]),
            geom_count=max(1, len(own)),
            all_own=int(0 in shown.bodies),
            most=self._most if kinds else 0,
            stride=len(kinds),
            earlier=0,
            recent=0,
            messages=0,
            metres_per_newton=float(model.vis.map.force) / float(model.stat.meanmass or 1.0),
            **places,
        )

    def _template(self, model: mujoco.MjModel, shown: ShownElements) -> Any:
        """Returns a message with the maximum number of markers.

        The first marker removes the previous markers. The tendons follow, and then the markers of
        each contact.
        """
        header = Header(frame_id=self._plugin.environment.frame('world'))
        markers = [Marker(header=header, id=_NO_ID, action=Marker.DELETEALL)]
        markers += _tendons(model, shown.tendons, header)
        made = []
        if 'contacts' in self._show:
            made.append(_disc(model, header))
        if 'forces' in self._show:
            made.append(_arrow(model, header))
        markers += [make(number) for number in range(self._most) for make in made]
        return MarkerArray(markers=markers)


def _tendons(model: mujoco.MjModel, tendons: list[int], header: Any) -> list[Any]:
    colors = element_colors(model, 'tendon')
    return [
        Marker(
            header=header,
            ns='tendons',
            id=tendon,
            type=Marker.LINE_LIST,
            scale=Vector3(x=2.0 * float(model.tendon_width[tendon])),
            color=_color(colors[tendon]),
            pose=Pose(orientation=Quaternion(w=1.0)),
            points=[Point()] * (POINTS_OF_WRAP * int(model.tendon_num[tendon])),
        )
        for tendon in tendons
    ]


def _disc(model: mujoco.MjModel, header: Any) -> Any:
    """Returns a function that creates the disc of contact number k, in MuJoCo's size."""
    scale, mean = model.vis.scale, float(model.stat.meansize)
    wide, high = 2.0 * scale.contactwidth * mean, 2.0 * scale.contactheight * mean
    size, color = Vector3(x=wide, y=wide, z=high), _color(model.vis.rgba.contactpoint)
    return lambda number: Marker(
        header=header, ns='contacts', id=number, type=Marker.CYLINDER, scale=size, color=color
    )


def _arrow(model: mujoco.MjModel, header: Any) -> Any:
    """Returns a function that creates the arrow for the force of contact number k."""
    wide = 2.0 * float(model.vis.scale.forcewidth) * float(model.stat.meansize)
    size, color = Vector3(x=wide, y=2.0 * wide), _color(model.vis.rgba.contactforce)
    return lambda number: Marker(
        header=header, ns='forces', id=number, type=Marker.ARROW, scale=size, color=color,
        pose=Pose(orientation=Quaternion(w=1.0)), points=[Point(), Point()],
    )  # fmt: skip


def _color(rgba: Any) -> Any:
    red, green, blue, opacity = map(float, rgba)
    return ColorRGBA(r=red, g=green, b=blue, a=opacity)
