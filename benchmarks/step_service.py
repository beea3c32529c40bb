"""The time of a thousand steps in one service call, relative to the same steps in a session."""

from __future__ import annotations

from simulation_interfaces.srv import StepSimulation

from mujoco_ros_py.session import Session

from .callback import time_of
from .clients import Client, client
from .processes import FOLDER, running, server_command
from .rounds import Rounds

_STEPS = 1000
_NODE = '/mujoco_server'
_DONE = 1
"""The result code of a standard service for success."""


def measure() -> Rounds:
    """Compares calls of both in turn, each from the initial state."""
    model = FOLDER / 'humanoid.xml'
    parameters = {'modelfile': str(model), 'MujocoPlugins': '[]', 'unpause': False}
    with (
        client() as caller, running(server_command(parameters)), Session(str(model)) as session,
    ):  # fmt: skip
        while True:
            caller.wait_until_loaded()  # resets the simulation
            session.reset()
            over_dds_s = time_of(lambda: _step(caller))
            yield over_dds_s, time_of(lambda: session.step(_STEPS))


def _step(caller: Client) -> None:
    answer = caller.call(StepSimulation, f'{_NODE}/step_simulation', steps=_STEPS)
    assert answer.result.result == _DONE, answer.result.error_message
