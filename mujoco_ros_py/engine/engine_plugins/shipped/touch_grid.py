"""mujoco_ros_py.touch_grid: a tactile image, with the attributes of `mujoco.sensor.touch_grid`."""

from __future__ import annotations

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

_SITE, _UNKNOWN = int(mujoco.mjtObj.mjOBJ_SITE), int(mujoco.mjtObj.mjOBJ_UNKNOWN)
_BOX = int(mujoco.mjtGeom.mjGEOM_BOX)
_DECOR = int(mujoco.mjtCatBit.mjCAT_DECOR)
_WIDEST = 180.0, 90.0
"""The largest field of view to each side, horizontal and vertical, in degrees."""
_THICKNESS = 0.02
"""The size of the boxes that show taxels, relative to their distance from the site."""


class TouchGrid(EnginePlugin):
    """Sums the contact forces and torques on a site's body by the direction of the contact.

    The site looks along its negative z axis with x to the right and y up, like a camera. Values
    are `[channel, row, column]`; the channels are the force along z, x and y of the site (N), and
    the torque about these axes (N m). Rows go up with the elevation, columns with the azimuth.
    `size` is the number of columns and rows, `fov` their range to each side of the axis, in
    degrees; `gamma` makes the inner bins smaller.
    """

    name = 'mujoco_ros_py.touch_grid'
    capabilities = Capability.SENSOR
    stage = mujoco.mjtStage.mjSTAGE_ACC
    nchannel = Attribute(1, minimum=1, maximum=6)
    size = Attribute((), length=2, minimum=1.0)
    fov = Attribute((), length=2, minimum=0.0)
    gamma = Attribute(0.0, minimum=0.0, maximum=1.0)

    @classmethod
    def sensor_size(cls, config: Mapping[str, Value], instance: Instance, sensor: int) -> int:
        """Returns channels times rows times columns."""
        return int(config['nchannel']) * math.prod(_shape(config))  # type: ignore[arg-type]

    @classmethod
    def parameters(cls, config: Mapping[str, Value], instance: Instance) -> dict[str, Any]:
        """Returns the sensors, each with its site, and the edges of the bins."""
        model, sensors = instance.model, instance.sensors
        for sensor in sensors[model.sensor_objtype[sensors] != _SITE]:
            raise ValueError(f'objtype of sensor {sensor} must be site')
        sites = model.sensor_objid[sensors]
        (columns, rows), (width, height) = _shape(config), _reach(config)
        gamma = float(config['gamma'])  # type: ignore[arg-type]
        return {
            'channels': config['nchannel'],
            'places': model.sensor_adr[sensors],
            'sensors': sensors,
            'sites': sites,
            'welds': model.body_weldid[model.site_bodyid[sites]],
            'azimuths': _edges(columns, width, gamma),
            'elevations': _edges(rows, height, gamma),
            'wrench': np.zeros(6),
            'distances': np.zeros((rows, columns)),
            'counts': np.zeros((rows, columns)),
            'white': np.ones(4, np.float32),
        }

    @staticmethod
    def compute_sensor(p: np.record, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Computes all taxels of all sensors of the instance."""
        columns, rows = len(p.azimuths) - 1, len(p.elevations) - 1
        for k in range(len(p.sites)):
            taxels = data.sensordata[p.places[k] : p.places[k] + p.channels * rows * columns]
            taxels[:] = 0.0
            for i in range(data.ncon):
                sign = _side(model, data.contact[i].geom, p.welds[k])
                if sign == 0.0:
                    continue
                column, row, _ = _place(p, data, data.contact[i].pos, p.sites[k])
                if 0 <= column < columns and 0 <= row < rows:
                    mujoco.mj_contactForce(model, data, i, p.wrench)
                    z, x, y = _turned(data, data.contact[i].frame, p.wrench[:3], p.sites[k])
                    tz, tx, ty = _turned(data, data.contact[i].frame, p.wrench[3:], p.sites[k])
                    values = (z, x, y, tz, tx, ty)
                    for channel in range(p.channels):
                        taxels[(channel * rows + row) * columns + column] += sign * values[channel]

    @staticmethod
    def visualize(
        p: np.record,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        option: mujoco.MjvOption,
        scene: mujoco.MjvScene,
    ) -> None:
        """Draws a box for each touched taxel, at the distance of its contacts from the site.

        Red, green and blue are the first three channels, relative to the strongest normal force.
        """
        for k in range(len(p.sites)):
            taxels = data.sensordata[p.places[k] : p.places[k] + p.channels * p.counts.size]
            strongest = 0.0
            for taxel in taxels[: p.counts.size]:
                strongest = max(strongest, abs(taxel))
            if strongest > 0.0:
                _measure(p, model, data, k)
                _draw(p, data, scene, k, taxels, strongest)


@inlined
def _measure(p: np.record, model: mujoco.MjModel, data: mujoco.MjData, k: int) -> Any:
    """Computes the mean distance between the site and the contacts of each taxel."""
    rows, columns = p.counts.shape
    p.distances[:], p.counts[:] = 0.0, 0.0
    for i in range(data.ncon):
        if _side(model, data.contact[i].geom, p.welds[k]) != 0.0:
            column, row, distance = _place(p, data, data.contact[i].pos, p.sites[k])
            if 0 <= column < columns and 0 <= row < rows:
                p.distances[row, column] += distance
                p.counts[row, column] += 1.0
    for row in range(rows):
        for column in range(columns):
            p.distances[row, column] /= max(p.counts[row, column], 1.0)


@inlined
def _draw(
    p: np.record,
    data: mujoco.MjData,
    scene: mujoco.MjvScene,
    k: int,
    taxels: Numbers,
    strongest: float,
) -> Any:
    """Draws the boxes of a sensor, in the directions of the centres of its taxels."""
    rows, columns = p.counts.shape
    origin, frame = data.site_xpos[p.sites[k]], data.site_xmat[p.sites[k]]
    for column in range(columns):
        for row in range(rows):
            distance = p.distances[row, column]
            if distance == 0.0:
                continue
            if scene.ngeom >= scene.maxgeom:
                scene.status = 1  # full; MuJoCo drops its own geoms like this too
                return
            azimuth = (p.azimuths[column] + p.azimuths[column + 1]) / 2
            elevation = (p.elevations[row] + p.elevations[row + 1]) / 2
            ca, sa = math.cos(azimuth), math.sin(azimuth)
            ce, se = math.cos(elevation), math.sin(elevation)
            geom = scene.geoms[scene.ngeom]
            mujoco.mjv_initGeom(geom, _BOX, None, None, None, p.white)
            geom.size[0] = distance * (p.azimuths[column + 1] - p.azimuths[column]) / 2
            geom.size[1] = distance * (p.elevations[row + 1] - p.elevations[row]) / 2
            geom.size[2] = distance * _THICKNESS
            for axis in range(3):
                right, up, back = frame[3 * axis], frame[3 * axis + 1], frame[3 * axis + 2]
                outward = ce * sa * right + se * up - ce * ca * back
                geom.pos[axis] = origin[axis] + distance * (1 - _THICKNESS) * outward
                geom.mat[3 * axis] = ca * right + sa * back
                geom.mat[3 * axis + 1] = ce * up - se * (sa * right - ca * back)
                geom.mat[3 * axis + 2] = -outward
            for channel in range(min(p.channels, 3)):
                taxel = taxels[(channel * rows + row) * columns + column]
                geom.rgba[channel] = abs(taxel) / strongest
            geom.objtype, geom.objid = _UNKNOWN, p.sensors[k]
            geom.category, geom.segid = _DECOR, scene.ngeom
            scene.ngeom += 1


@inlined
def _side(model: mujoco.MjModel, geoms: NDArray[np.int32], weld: int) -> Any:
    """Returns the sign with which a contact's force acts on the body; 0 for other bodies.

    MuJoCo's force of a contact acts on its second geom.
    """
    first, second = geoms[0], geoms[1]
    if first < 0 or second < 0:  # a flex
        return 0.0
    if model.body_weldid[model.geom_bodyid[first]] == weld:
        return -1.0
    if model.body_weldid[model.geom_bodyid[second]] == weld:
        return 1.0
    return 0.0


@inlined
def _place(p: np.record, data: mujoco.MjData, position: Numbers, site: int) -> Any:
    """Returns column and row of a world position by azimuth and elevation, and its distance.

    The angles are relative to the site's negative z axis, in rad; the distance is in m.
    """
    origin, frame = data.site_xpos[site], data.site_xmat[site]
    x, y, z = position[0] - origin[0], position[1] - origin[1], position[2] - origin[2]
    right = frame[0] * x + frame[3] * y + frame[6] * z
    up = frame[1] * x + frame[4] * y + frame[7] * z
    back = frame[2] * x + frame[5] * y + frame[8] * z
    flat = right * right + back * back
    azimuth, elevation = math.atan2(right, -back), math.atan2(up, math.sqrt(flat))
    distance = math.sqrt(flat + up * up)
    return _bin(p.azimuths, azimuth), _bin(p.elevations, elevation), distance


@inlined
def _bin(edges: Numbers, angle: float) -> int:
    """Returns the bin whose lower edge is below an angle, and whose upper edge is not."""
    low, high = 0, len(edges)
    while low < high:
        middle = (low + high) // 2
        if edges[middle] < angle:
            low = middle + 1
        else:
            high = middle
    return low - 1


@inlined
def _turned(data: mujoco.MjData, frame: Numbers, vector: Numbers, site: int) -> Any:
    """Rotates a vector from a contact's frame to the axes z, x and y of the site."""
    turn = data.site_xmat[site]
    x = frame[0] * vector[0] + frame[3] * vector[1] + frame[6] * vector[2]
    y = frame[1] * vector[0] + frame[4] * vector[1] + frame[7] * vector[2]
    z = frame[2] * vector[0] + frame[5] * vector[1] + frame[8] * vector[2]
    return (
        turn[2] * x + turn[5] * y + turn[8] * z,
        turn[0] * x + turn[3] * y + turn[6] * z,
        turn[1] * x + turn[4] * y + turn[7] * z,
    )


def _edges(count: int, reach: float, gamma: float) -> Numbers:
    """Returns the edges of the bins in rad: gamma u^5 + (1 - gamma) u for equal steps of u."""
    edges, unit = [], -1.0
    for _ in range(count + 1):
        edges.append((gamma * math.pow(unit, 5) + (1 - gamma) * unit) * (reach * math.pi / 180))
        unit += 2.0 / count  # summed as in MuJoCo's plugin, so that all bits are equal
    return np.array(edges)


def _shape(config: Mapping[str, Any]) -> tuple[int, int]:
    size = config['size']
    if not size or any(n != int(n) for n in size):
        raise ValueError(f'size must be 2 integers >= 1, got {_text(size)}')
    return int(size[0]), int(size[1])


def _reach(config: Mapping[str, Any]) -> tuple[float, float]:
    fov = config['fov']
    if not fov or not all(0 < angle <= widest for angle, widest in zip(fov, _WIDEST, strict=True)):
        raise ValueError(
            f'fov must be 2 numbers > 0 and at most {_WIDEST[0]:g} and {_WIDEST[1]:g},'
            f' got {_text(fov)}'
        )
    return fov[0], fov[1]


def _text(numbers: tuple[float, ...]) -> str:
    return repr(' '.join(f'{n:g}' for n in numbers)) if numbers else 'none'
