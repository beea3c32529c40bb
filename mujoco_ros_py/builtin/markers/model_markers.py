"""Publishes the geoms and sites of a model: once, and again when they or their frames change."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ...engine.messages import StructMessage, numbers
from ...plugins import MujocoPlugin, ros_type
from ...plugins.topic_qos import LATCHED
from ..transforms.tf_topics import WXYZ, Pose
from .marker_frames import Carriers, MarkerFrames
from .marker_shapes import (
    PARTS,
    Part,
    geom_parts,
    geom_triangles,
    site_parts,
    site_triangles,
)
from .shown_elements import Drawing, ShownElements, element_colors

Marker = ros_type('visualization_msgs/msg/Marker')
MarkerArray = ros_type('visualization_msgs/msg/MarkerArray')

_log = logging.getLogger(__name__)
_NO_ID = -1
_GEOMS, _SITES = 'geoms', 'sites'
"""The marker namespaces."""


@dataclass(frozen=True, slots=True)
class _Element:
    """A geom or a site with its markers."""

    namespace: str
    number: int
    carrier: int
    pose: Pose
    color: Any
    parts: list[Part]


class ModelMarkers:
    """Publishes markers in the frames of bodies, on a latched topic.

    Creates no markers before the first subscriber. The methods must not be called concurrently.
    """

    def __init__(
        self, plugin: MujocoPlugin[Any], topic: str, frames: MarkerFrames, most_triangles: int
    ) -> None:
        self._name, self._frames, self._most_triangles = plugin.name, frames, most_triangles
        self._publisher = plugin.ros.create_struct_publisher(MarkerArray, topic, LATCHED)
        self._heard = 0
        self._told: Drawing | None = None

    def look(self, drawing: Drawing) -> None:
        """Publishes the markers if they have changed or the topic has new subscribers."""
        heard = self._publisher.subscribers
        if heard and drawing is not self._told:
            self._write(drawing)
            self._told = drawing
            self._publisher.publish()
        elif heard > self._heard:
            self._publisher.publish()
        if not heard and self._heard:
            self._frames.close()
            self._told = None
        self._heard = heard

    def close(self) -> None:
        """Removes the markers from viewers, and destroys the publisher."""
        if self._publisher.subscribers:
            _write(self._publisher.message, [], {})
            self._publisher.publish()
        self._publisher.close()

    def _write(self, drawing: Drawing) -> None:
        model, shown = drawing.model, drawing.shown
        elements = _elements(model, shown, self._boxes(model, shown))
        frames = self._frames.find(model, (each.carrier for each in elements))
        _write(self._publisher.message, elements, frames)

    def _boxes(self, model: mujoco.MjModel, shown: ShownElements) -> set[tuple[str, int]]:
        """Returns the geoms and sites to draw as boxes, and logs how many there are.

        The meshes with the fewest triangles are drawn as meshes, up to `most_triangles` in total.
        Each element is returned as a pair of namespace and id.
        """
        elements = [(_GEOMS, geom) for geom in shown.geoms]
        elements += [(_SITES, site) for site in shown.sites]
        of_geoms = [geom_triangles(model, geom) for geom in shown.geoms]
        of_sites = [site_triangles(model, site) for site in shown.sites]
        counts = np.array(of_geoms + of_sites, int)
        order = np.argsort(counts, kind='stable')
        too_many = order[np.cumsum(counts[order]) > self._most_triangles]
        boxes = {elements[k] for k in too_many if counts[k]}
        if boxes:
            _log.warning(
                '%s: %d of %d meshes and height fields are shown as boxes because together they '
                'have %d triangles, and most_triangles is %d',
                self._name, len(boxes), np.count_nonzero(counts), counts.sum(),
                self._most_triangles,
            )  # fmt: skip
        return boxes


def _elements(
    model: mujoco.MjModel, shown: ShownElements, boxes: set[tuple[str, int]]
) -> list[_Element]:
    carriers = Carriers(model)
    geom_colors, site_colors = (element_colors(model, kind) for kind in ('geom', 'site'))
    elements = []
    for geom in shown.geoms:
        body = int(model.geom_bodyid[geom])
        pose = carriers.pose(body, model.geom_pos[geom], model.geom_quat[geom])
        parts = geom_parts(model, geom, as_box=(_GEOMS, geom) in boxes)
        carrier = carriers.bodies[body]
        elements.append(_Element(_GEOMS, geom, carrier, pose, geom_colors[geom], parts))
    for site in shown.sites:
        body = int(model.site_bodyid[site])
        pose = carriers.pose(body, model.site_pos[site], model.site_quat[site])
        parts = site_parts(model, site, as_box=(_SITES, site) in boxes)
        carrier = carriers.bodies[body]
        elements.append(_Element(_SITES, site, carrier, pose, site_colors[site], parts))
    return elements


def _write(message: StructMessage, elements: list[_Element], frames: dict[int, str]) -> None:
    """Writes a marker that removes all others, and a marker for each part of the elements."""
    told = [(each, part, k) for each in elements for k, part in enumerate(each.parts)]
    markers = message.allocate(message['markers'], len(told) + 1)
    markers['id'][0], markers['action'][0] = _NO_ID, Marker.DELETEALL
    markers['pose']['orientation']['w'] = 1.0
    if not told:
        return
    rest = markers[1:]
    rest['id'] = [PARTS * each.number + k for each, _, k in told]
    rest['type'] = [part.type for _, part, _ in told]
    rest['frame_locked'] = [each.carrier > 0 for each, _, _ in told]
    numbers(rest['scale'])[:] = [part.scale for _, part, _ in told]
    numbers(rest['color'])[:] = [each.color for each, _, _ in told]
    places, turns = (numbers(rest['pose'][name]) for name in ('position', 'orientation'))
    places[:] = [_place(each.pose, part.offset) for each, part, _ in told]
    turns[:, WXYZ] = [each.pose[1] for each, _, _ in told]
    for k, (each, part, _) in enumerate(told):
        message.set_text(rest['ns'][k, ...], each.namespace)
        message.set_text(rest['header']['frame_id'][k, ...], frames[each.carrier])
        if part.corners is not None:
            points = message.allocate(rest['points'][k, ...], len(part.corners))
            numbers(points)[:] = part.corners


def _place(pose: Pose, offset: Any) -> Any:
    """Returns the position at an offset from a pose; the offset is in the pose's axes."""
    moved = np.empty(3)
    mujoco.mju_rotVecQuat(moved, offset, pose[1])
    return pose[0] + moved
