"""The hall of the rover as geometry: how far walls, crates and columns are from a place."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np

FILE = Path(__file__).parents[1] / 'examples' / 'rover_hall.xml'
RADIUS = 0.24
"""All of the robot is within this distance of its centre, in m."""


class Hall:
    """All that stands on the floor."""

    def __init__(self) -> None:
        self.model = mujoco.MjModel.from_xml_path(str(FILE))
        self.data = mujoco.MjData(self.model)
        self.data.qpos[2] = 100.0  # nothing hits the robot
        mujoco.mj_forward(self.model, self.data)
        fixed = np.flatnonzero(self.model.geom_bodyid == 0)
        ground = [self.model.geom(name).id for name in ('floor', 'boards')]
        self._geoms = [geom for geom in fixed if geom not in ground]

    def distance(self, x: float, y: float) -> float:
        """Returns the distance of what is nearest to a place; negative inside of it."""
        return min(self._distance(geom, x, y) for geom in self._geoms)

    def beside_a_wall(self, x: float, y: float, around: float = 1.0) -> bool:
        """Whether a straight wall is the only thing within some distance."""
        near = [geom for geom in self._geoms if self._distance(geom, x, y) < around]
        return len(near) == 1 and self._is_straight(near[0], x, y, around)

    def ranges(self, x: float, y: float, angles: np.ndarray, height: float) -> np.ndarray:
        """Returns the distances from a place in these directions; inf where there is nothing."""
        directions = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=1)
        hits, ranges = np.empty(len(angles), np.int32), np.empty(len(angles))
        mujoco.mj_multiRay(
            self.model, self.data, np.array([x, y, height]), directions.ravel(), None, True, -1,
            hits, ranges, None, len(angles), mujoco.mjMAXVAL,
        )  # fmt: skip
        return np.where(ranges < 0, np.inf, ranges)

    def _distance(self, geom: int, x: float, y: float) -> float:
        size, place = self.model.geom_size[geom], self._place(geom, x, y)
        if self.model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_CYLINDER:
            return float(np.hypot(*place) - size[0])
        outside = np.abs(place) - size[:2]
        return float(np.hypot(*np.maximum(outside, 0.0)) + min(outside.max(), 0.0))

    def _is_straight(self, geom: int, x: float, y: float, around: float) -> bool:
        if self.model.geom_type[geom] != mujoco.mjtGeom.mjGEOM_BOX:
            return False
        length = np.max(self.model.geom_size[geom][:2])
        along = np.argmax(self.model.geom_size[geom][:2])
        return bool(abs(self._place(geom, x, y)[along]) < length - around)

    def _place(self, geom: int, x: float, y: float) -> np.ndarray:
        """Returns a place in the axes of a geom."""
        axes = self.data.geom_xmat[geom].reshape(3, 3)[:2, :2]
        return (np.array([x, y]) - self.data.geom_xpos[geom][:2]) @ axes
