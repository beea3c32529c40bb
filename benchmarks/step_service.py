"""A thousand steps that a client asks of the server in one call, over as many in a session."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from simulation_interfaces.srv import StepSimulation

from mujoco_ros_py.session import Session

from .processes import FOLDER, Client, client, environment, folder, running, server_command
from .result import Result

_STEPS = 1000
_ROUNDS = 100
_WARM_UP = 3
_NODE = '/mujoco_server'
_DONE = 1
"""The result of a standard service that has done what it was asked for."""


def measure(name: str, limit: float) -> Result:
    """Returns the median ratio of calls in turn, each from the start of the model."""
    model = FOLDER / 'humanoid.xml'
    parameters = {'modelfile': str(model), 'MujocoPlugins': '[]', 'unpause': False}
    with (
        folder() as prefix,
        client() as caller,
        running(server_command(prefix, parameters), environment(prefix)),
        Session(str(model)) as session,
    ):
        caller.wait_until_loaded()
        rounds = []
        for _ in range(_WARM_UP + _ROUNDS):
            caller.wait_until_loaded()  # resets it
            session.reset()
            over_dds = _time(lambda: _step(caller))
            rounds.append((over_dds, _time(lambda: session.step(_STEPS))))
    rounds = rounds[_WARM_UP:]
    service, here = (statistics.median(each[k] for each in rounds) for k in (0, 1))
    ratio = statistics.median(service / here for service, here in rounds)
    measured = f'{service * 1e3:.1f} ms against {here * 1e3:.1f} ms'
    return Result(name=name, ratio=ratio, rule='at most', limit=limit, measured=measured)


def _step(caller: Client) -> None:
    answer = caller.call(StepSimulation, f'{_NODE}/step_simulation', steps=_STEPS)
    assert answer.result.result == _DONE, answer.result.error_message


def _time(function: Callable[[], None]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
