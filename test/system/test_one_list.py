"""A robot with controllers and sensors: one list of plugins wherever it is simulated."""

from __future__ import annotations

import pytest
from sensor_msgs.msg import Imu

from mujoco_ros_py.session import Session
from mujoco_ros_py.session.batch import Batch
from mujoco_ros_py.testing import serve

from .harness import Client, wait_until

pytestmark = pytest.mark.slow

MODEL = 'package://mujoco_ros_py/examples/arm.xml'
PLUGINS = """
- {type: mujoco_ros_py/JointController, name: arm}
- {type: mujoco_ros_py/Imu, name: imu, site: flange}
- {type: mujoco_ros_py/Sensors}
- {type: mujoco_ros_py/JointStates, name: states}
- {type: mujoco_ros_py/Transforms}
- {type: mujoco_ros_py/RobotDescription}
"""
STEPS = 200
POSITIONS = {'joint2': 0.5}


def test_a_session_a_batch_a_test_and_a_server_step_one_list_of_plugins_to_the_bit_alike():
    found = {}
    with Session(MODEL, PLUGINS, positions=POSITIONS, strict=True) as session:
        session.step(STEPS)
        found['session'] = session.snapshot().data.qpos.tobytes()
        measured = session.plugins['imu'].measure().linear_acceleration.z
    with Batch(MODEL, PLUGINS, worlds=2, positions=POSITIONS) as batch:
        batch.step(count=STEPS)
        found['first world'], found['second world'] = (each.data.qpos.tobytes() for each in batch)
        assert batch[1].plugins['imu'].measure().linear_acceleration.z == measured
    with serve(MODEL, PLUGINS, positions=POSITIONS) as server:
        found['test'] = server.step(STEPS).qpos.tobytes()
    with serve(MODEL, PLUGINS, positions=POSITIONS, process=True) as server:
        found['server'] = server.step(STEPS).qpos.tobytes()
        client = Client(server.domain_id)
        try:
            told = client.collect(Imu, '/imu')
            server.step(STEPS)
            wait_until(lambda: told, 'what the sensor publishes')
        finally:
            client.close()
    assert len(set(found.values())) == 1, found
