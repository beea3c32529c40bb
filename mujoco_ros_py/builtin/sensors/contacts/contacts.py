"""mujoco_ros_py/Contacts: publishes contacts between geoms with positions and forces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ....config import ranged
from ....errors import PluginError
from ....plugins import Adaptable, MujocoPlugin, Savable, State, compiled, new_state, ros_type
from ....plugins.compiled_code import set_length, set_stamp
from ....plugins.topic_qos import STATES
from ...transforms.compiled_poses import set_point
from ..sensor_topic import topic_of
from .contact_pairs import ContactPairs
from .found_contacts import force_on_first, set_arrow, set_body_name, set_geom_name, sign_of

Point = ros_type('geometry_msgs/msg/Point')
Vector3 = ros_type('geometry_msgs/msg/Vector3')
ColorRGBA = ros_type('std_msgs/msg/ColorRGBA')
Header = ros_type('std_msgs/msg/Header')
String = ros_type('std_msgs/msg/String')
Contact = ros_type('ros_gz_interfaces/msg/Contact')
Entity = ros_type('ros_gz_interfaces/msg/Entity')
JointWrench = ros_type('ros_gz_interfaces/msg/JointWrench')
Message = ros_type('ros_gz_interfaces/msg/Contacts')
Marker = ros_type('visualization_msgs/msg/Marker')
MarkerArray = ros_type('visualization_msgs/msg/MarkerArray')

_SHAFT, _HEAD = 0.01, 0.02
"""The diameters of an arrow's shaft and head, in m."""
_ORANGE = 0.95, 0.45, 0.13
_NO_ARROW = -1
"""The id of the marker that removes all arrows; RViz rejects messages with duplicate ids."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ContactsConfig:
    """The configuration of the Contacts plugin."""

    first: tuple[str, ...] = ()
    """Report only contacts with one of these geoms; a body's name selects all geoms in its
    subtree; if empty, contacts of all geoms."""
    second: tuple[str, ...] = ()
    """The geoms that the `first` geoms must touch, selected the same way; if empty, all geoms."""
    topic: str = ''
    """The topic (ros_gz_interfaces/Contacts); if empty, the plugin's name. `<topic>/markers` has
    an arrow for each force on a `first` geom (visualization_msgs/MarkerArray)."""
    update_rate: float = ranged(100.0, above=0.0, maximum=10_000.0, unit='Hz')
    """Messages per second of simulated time."""
    most: int = ranged(100, minimum=1, maximum=10_000)
    """The maximum number of contacts in a message; further contacts are dropped."""
    newtons_per_metre: float = ranged(100.0, above=0.0, unit='N/m')
    """The force shown as an arrow of 1 m."""


class Contacts(MujocoPlugin[ContactsConfig], Adaptable, Savable):
    """Publishes contacts, with one entry for each point at which two geoms touch.

    Positions, normals, forces and torques are in the world frame. Normals point from the first
    geom to the second. Depths are positive where geoms penetrate each other. Each body's wrench
    acts on that body at the contact point.
    """

    places = 'most', 'width', 'ngeom'

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the geoms, and starts publishing."""
        config, environment = self.config, self.environment
        if environment.protected:
            raise PluginError(
                'contacts are ground truth, which eval_mode hides; to publish touch and contact '
                'sensors of the model, use mujoco_ros_py/Sensors'
            )
        self._find(model)
        topic = topic_of(self, config.topic)
        options: dict[str, Any] = {
            'rate_hz': config.update_rate, 'derived': 'sensors', 'state': self.state,
            'copy_state': False,
        }  # fmt: skip
        self._contacts = self.ros.create_compiled_publisher(
            Message, topic, self.fill, qos=STATES, template=self._template(), **options
        )
        self._markers = self.ros.create_compiled_publisher(
            MarkerArray, f'{topic}/markers', _fill_markers, qos=STATES, only_heard=True,
            template=self._marker_template(), **options,
        )  # fmt: skip

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the geoms in the new model, and continues publishing."""
        self._find(model)
        self._contacts.replace(template=self._template(), state=self.state)
        self._markers.replace(template=self._marker_template(), state=self.state)

    def measure(self) -> Any:
        """Returns the current contacts as a message; works without ROS too."""
        return self._contacts.read()

    def _find(self, model: mujoco.MjModel) -> None:
        """Finds the geoms, and creates the state for compiled code."""
        config = self.config
        self._pairs = ContactPairs(self, model, config.first, config.second)
        self.state = new_state(
            most=config.most, scale=1.0 / config.newtons_per_metre, **self._pairs.fields()
        )

    def _marker_template(self) -> Any:
        return _marker_template(self.environment.frame('world'), self.config.most)

    def _template(self) -> Any:
        """Returns a message with `most` contacts and space for the longest names."""
        frame_id, longest = self.environment.frame('world'), 'x' * self._pairs.longest
        entity = Entity(type=Entity.COLLISION, name=longest)
        wrench = JointWrench(
            header=Header(frame_id=frame_id),
            body_1_name=String(data=longest),
            body_2_name=String(data=longest),
        )
        contact = Contact(
            collision1=entity, collision2=entity, positions=[Vector3()], normals=[Vector3()],
            depths=[0.0], wrenches=[wrench],
        )  # fmt: skip
        return Message(header=Header(frame_id=frame_id), contacts=[contact] * self.config.most)

    @staticmethod
    @compiled
    def fill(
        state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any, ros_time: float
    ) -> None:
        """Writes the current contacts."""
        set_length(message, 'contacts', state.most)
        force, torque, count = np.empty(3), np.empty(3), 0
        for number in range(data.ncon):
            contact = data.contact[number]
            sign = sign_of(state, contact)
            if sign == 0 or count >= state.most:
                continue
            told = message.contacts[count]
            first, second = contact.geom[0], contact.geom[1]
            if sign < 0:
                first, second = second, first
            told.collision1.id, told.collision2.id = first, second
            set_geom_name(state, told.collision1, first)
            set_geom_name(state, told.collision2, second)
            place, normal, wrench = told.positions[0], told.normals[0], told.wrenches[0]
            set_point(place, contact.pos)
            normal.x = sign * contact.frame[0]
            normal.y = sign * contact.frame[1]
            normal.z = sign * contact.frame[2]
            told.depths[0] = -contact.dist
            set_stamp(wrench.header.stamp, ros_time)
            set_body_name(state, wrench.body_1_name, first)
            set_body_name(state, wrench.body_2_name, second)
            wrench.body_1_id.data = model.geom_bodyid[first]
            wrench.body_2_id.data = model.geom_bodyid[second]
            force_on_first(model, data, number, sign, force, torque)
            on_1, on_2 = wrench.body_1_wrench, wrench.body_2_wrench
            set_point(on_1.force, force)
            set_point(on_1.torque, torque)
            on_2.force.x, on_2.force.y, on_2.force.z = -force[0], -force[1], -force[2]
            on_2.torque.x, on_2.torque.y, on_2.torque.z = -torque[0], -torque[1], -torque[2]
            count += 1
        set_length(message, 'contacts', count)


def _marker_template(frame_id: str, most: int) -> Any:
    """Returns a message that deletes all arrows and then adds `most` new ones."""
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
def _fill_markers(
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
