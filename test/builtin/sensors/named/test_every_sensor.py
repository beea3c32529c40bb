"""Each MuJoCo sensor type over DDS, compared with MuJoCo alone."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import mujoco
import numpy as np
import pytest
from builtin.sensors.named.every_sensor import MODEL, SENSORS, TIMESTEP, Wanted, not_treated
from geometry_msgs.msg import PointStamped, QuaternionStamped, Vector3Stamped
from mujoco_ros_msgs.msg import ScalarStamped
from system.plugin_site import PluginSite

from mujoco_ros_py.engine.engine_plugins import register
from mujoco_ros_py.engine.engine_plugins.shipped.touch_grid import TouchGrid

STEPS = 40
SPEEDS = {'hinge': 6.0, 'ball': [0.3, 0.2, 0.1]}
CONTROLS = 0.4, 0.2


def start(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Sets the initial state of both simulations."""
    for joint, speed in SPEEDS.items():
        data.joint(joint).qvel[:] = speed
    data.ctrl[:] = CONTROLS


def write_user_sensors(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Writes the values of user sensors, like a plugin at the end of a step."""
    for name in SENSORS:
        if name.startswith('user'):
            values = data.sensor(name).data
            values[:] = np.sin(np.arange(1, len(values) + 1) * (1 + data.time))


def truth(steps: int) -> dict[float, dict[str, np.ndarray]]:
    """Returns the values of all sensors after each step, from MuJoCo alone."""
    register(TouchGrid)
    model = mujoco.MjModel.from_xml_string(MODEL)
    data, told = mujoco.MjData(model), {}
    kind = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(model, kind))
    start(model, data)
    for _ in range(steps):
        mujoco.mj_step(model, data)
        mujoco.mj_getState(model, data, state, kind)
        copy = mujoco.MjData(model)  # used data would keep an outdated kinetic energy
        mujoco.mj_setState(model, copy, state, kind)
        mujoco.mj_forward(model, copy)
        write_user_sensors(model, copy)
        told[round(data.time, 9)] = {name: copy.sensor(name).data.copy() for name in SENSORS}
    return told


def values_of(message: Any) -> list[float]:
    if isinstance(message, ScalarStamped):
        return [message.value]
    if isinstance(message, Vector3Stamped):
        return [message.vector.x, message.vector.y, message.vector.z]
    if isinstance(message, PointStamped):
        return [message.point.x, message.point.y, message.point.z]
    if isinstance(message, QuaternionStamped):
        turn = message.quaternion
        return [turn.w, turn.x, turn.y, turn.z]
    return list(message.data)


def check_layout(message: Any, wanted: Wanted) -> None:
    dimensions = message.layout.dim
    assert tuple((each.label, each.size) for each in dimensions) == wanted.layout
    assert dimensions[0].stride == len(message.data)
    for outer, inner in pairwise(dimensions):
        assert outer.stride == outer.size * inner.stride
    assert dimensions[-1].stride == dimensions[-1].size
    assert message.layout.data_offset == 0


def test_the_model_has_every_type_of_sensor_of_the_installed_mujoco():
    assert not_treated() == []


def test_every_sensor_of_the_model_measures_something():
    told = truth(STEPS)
    silent = [n for n in SENSORS if not any(np.any(values[n]) for values in told.values())]
    assert silent == []


FILLING = '''
from builtin.sensors.named.test_every_sensor import write_user_sensors
from mujoco_ros_py.plugins import MujocoPlugin


class Filling(MujocoPlugin):
    """Writes what the user sensors measure at the end of each step."""

    def last_stage_callback(self, model, data):
        write_user_sensors(model, data)
'''


@pytest.fixture
def sensing(sense, tmp_path, monkeypatch):
    site = PluginSite(tmp_path)
    site.add_module('filling_of_user_sensors', FILLING)
    monkeypatch.syspath_prepend(site.folder)
    sensors = {'type': 'mujoco_ros_py/Sensors', 'name': 'it', 'update_rate': 1 / TIMESTEP}
    return sense(
        MODEL,
        {'type': 'filling_of_user_sensors/Filling'},
        sensors,
        engine_plugins=['mujoco_ros_py/TouchGrid'],
    )


@pytest.mark.slow
def test_each_topic_has_the_values_of_sensordata_in_the_moment_of_its_stamp(sensing):
    topics = {f'/it/{name}': wanted.message for name, wanted in SENSORS.items()}
    heard = dict(zip(SENSORS, sensing.hear_all(topics, 1 / TIMESTEP), strict=True))
    sensing.call(start)
    sensing.step(STEPS)
    for time, values in truth(STEPS).items():
        for name, value in values.items():
            told = values_of(heard[name].by_time[time])
            assert told == list(value), f'{name} at {time}'
    for name, wanted in SENSORS.items():
        assert heard[name].last.header.frame_id == wanted.frame, name
        if wanted.layout:
            check_layout(heard[name].last, wanted)


@pytest.mark.slow
def test_frames_of_sites_geoms_and_cameras_are_on_tf_static_where_the_model_has_them(sensing):
    pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not installed')
    named = {wanted.frame for wanted in SENSORS.values()} - {'', 'world', 'rod', 'hand'}
    frames = sensing.frames(named)
    model = mujoco.MjModel.from_xml_string(MODEL)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    for frame, transform in frames.items():
        parent = data.body(transform.header.frame_id)
        at, turn = transform.transform.translation, transform.transform.rotation
        turned = np.empty(9)
        mujoco.mju_quat2Mat(turned, [turn.w, turn.x, turn.y, turn.z])
        where, axes = pose_of(data, frame)
        of_parent = parent.xmat.reshape(3, 3)
        np.testing.assert_allclose(parent.xpos + of_parent @ [at.x, at.y, at.z], where, atol=1e-9)
        np.testing.assert_allclose(of_parent @ turned.reshape(3, 3), axes, atol=1e-9)


def pose_of(data: mujoco.MjData, frame: str) -> tuple[np.ndarray, np.ndarray]:
    """The position and the axes of a frame in the world."""
    name, _, kind = frame.rpartition('_')
    if kind == 'inertial':
        return data.body(name).xipos, data.body(name).ximat.reshape(3, 3)
    element = getattr(data, kind)(name) if kind in ('geom', 'camera') else data.site(frame)
    return element.xpos, element.xmat.reshape(3, 3)
