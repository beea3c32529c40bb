"""Steps per second of the running server, over those of `mujoco.mj_step` in one call."""

from __future__ import annotations

import time

import mujoco
from rclpy.qos import qos_profile_sensor_data
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState

from .clients import client
from .processes import FOLDER, plugins, running, server_command
from .rounds import Rounds

_WINDOW_S = 0.4


def measure_humanoid() -> Rounds:
    """Measures a model whose step takes about 50 us."""
    return _measure('humanoid')


def measure_pendulum() -> Rounds:
    """Measures one of the shortest possible steps, where the server's overhead shows most."""
    return _measure('pendulum')


def _measure(model_name: str) -> Rounds:
    """Measures the server and the bare loop over the same steps from the same start.

    Messages arrive meanwhile; only their handling in Python waits.
    """
    path = FOLDER / f'{model_name}.xml'
    model = mujoco.MjModel.from_xml_path(str(path))
    observer = {'type': 'benchmarks/Observer'}
    observers = dict.fromkeys(('first', 'second', 'third', 'fourth'), observer)
    parameters = {
        'modelfile': str(path), 'realtime': -1.0, 'unpause': False,
        **plugins(**observers, runner={'type': 'benchmarks/Runner'}),
    }  # fmt: skip
    with client() as listener, running(server_command(parameters)) as server:
        for kind, topic in ((Clock, '/clock'), (JointState, 'joint_states')):
            listener.node.create_subscription(kind, topic, print, qos_profile_sensor_data)
        while True:
            steps, seconds, _ = server.ask(_WINDOW_S)
            yield steps / seconds, steps / bare_s(model, int(steps))


def bare_s(model: mujoco.MjModel, steps: int) -> float:
    """Returns the seconds of so many steps from the start."""
    data = mujoco.MjData(model)
    start = time.perf_counter()
    mujoco.mj_step(model, data, steps)
    return time.perf_counter() - start
