"""Steps per second of the running server, relative to one long call of `mujoco.mj_step`."""

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
    """Measures a model with steps of about 50 us."""
    return _measure('humanoid')


def measure_pendulum() -> Rounds:
    """Measures a model with very short steps, where the server's overhead is most visible."""
    return _measure('pendulum')


def _measure(model_name: str) -> Rounds:
    """Compares the server and the bare loop over the same steps from the same state.

    Messages arrive during the bare loop too; only their handling in Python waits.
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
    """Returns the duration of `steps` steps from the initial state, in s."""
    data = mujoco.MjData(model)
    start = time.perf_counter()
    mujoco.mj_step(model, data, steps)
    return time.perf_counter() - start
