"""Steps per second of the running server, over those of `mujoco.mj_step` in one call."""

from __future__ import annotations

import statistics
import time

import mujoco
from rclpy.qos import qos_profile_sensor_data
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool, Trigger

from .processes import FOLDER, Client, client, environment, folder, running, server_command
from .result import Result

_ROUNDS = 41
_WINDOW_S = 0.4


def measure_humanoid(name: str, limit: float) -> Result:
    """Measures a model whose step takes about 50 us."""
    return _measure(name, 'humanoid', limit)


def measure_pendulum(name: str, limit: float) -> Result:
    """Measures one of the shortest possible steps, where the server's overhead shows most."""
    return _measure(name, 'pendulum', limit)


def _measure(name: str, model_name: str, limit: float) -> Result:
    """Measures rounds of server and bare loop in turn, over the same steps from the same start."""
    path = FOLDER / f'{model_name}.xml'
    model = mujoco.MjModel.from_xml_path(str(path))
    names = ['first', 'second', 'third', 'fourth']
    plugins = {plugin: {'type': 'benchmarks/Observer'} for plugin in names}
    parameters = {
        'modelfile': str(path),
        'realtime': -1.0,
        'unpause': False,
        'MujocoPlugins': {'names': names, **plugins},
    }
    with (
        folder() as prefix,
        client() as caller,
        running(server_command(prefix, parameters), environment(prefix)),
    ):
        times = Times(caller)
        caller.wait_until_loaded()
        _round(caller, times, model)
        rounds = [_round(caller, times, model) for _ in range(_ROUNDS)]
    ratios = [bare / server for server, bare, _ in rounds]
    server, bare = (statistics.median(r[k] / r[2] for r in rounds) * 1e6 for k in (0, 1))
    measured = f'{server:.2f} us a step against {bare:.2f}'
    ratio = statistics.median(ratios)
    return Result(name=name, ratio=ratio, rule='at least', limit=limit, measured=measured)


class Times:
    """The simulated times that /clock publishes."""

    def __init__(self, caller: Client) -> None:
        self._caller = caller
        self._seen: list[float] = []
        qos, node = qos_profile_sensor_data, caller.node
        self._subscriptions = [
            node.create_subscription(Clock, '/clock', self._take, qos),
            node.create_subscription(JointState, 'joint_states', lambda message: None, 10),
        ]

    def standing(self) -> float:
        """Returns the time at which the paused simulation stands."""
        self._seen.clear()
        while len(self._seen) < 3 or self._seen[-1] != self._seen[-2]:
            self._caller.spin(0.05)
        return self._seen[-1]

    def close(self) -> None:
        """Destroys the subscription."""
        for subscription in self._subscriptions:
            self._caller.node.destroy_subscription(subscription)

    def _take(self, message: Clock) -> None:
        self._seen.append(message.clock.sec + message.clock.nanosec * 1e-9)


def _round(caller: Client, times: Times, model: mujoco.MjModel) -> tuple[float, float, int]:
    """Returns the seconds of the server and of the bare loop for these steps."""
    answer = caller.call(Trigger, '/mujoco_server/reset')
    assert answer.success, answer.message
    caller.call(SetBool, '/mujoco_server/set_pause', data=False)
    start = time.perf_counter()
    time.sleep(_WINDOW_S)  # messages arrive meanwhile; only their handling in Python waits
    caller.call(SetBool, '/mujoco_server/set_pause', data=True)
    server = time.perf_counter() - start
    steps = round(times.standing() / model.opt.timestep)
    data = mujoco.MjData(model)
    start = time.perf_counter()
    mujoco.mj_step(model, data, steps)
    return server, time.perf_counter() - start, steps
