"""Fixtures with simulations that end with their test, and small models."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import deadline
import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import CallbackTable
from mujoco_ros_py.simulation import Listener, NoPlugins, Simulation

PENDULUM = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body name="bob"><joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/></body>
  </worldbody>
</mujoco>
"""


class Recorder(NoPlugins, Listener):
    """Plugins and listener that write down what they are told; callbacks as given."""

    def __init__(self, callbacks: Any = (), log: list[Any] | None = None) -> None:
        self.log: list[Any] = [] if log is None else log
        self.callbacks = callbacks

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> CallbackTable:
        self.log.append(('load', data.time, list(data.qpos)))
        return CallbackTable(self.callbacks)

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        pass

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        self.log.append(('reset', data.time, list(data.qpos)))

    def unload(self) -> None:
        self.log.append('unload')

    def describe(self, callback: int) -> str:
        return f'the callback {callback} of the test'

    def on_time_jump(self, time: float) -> None:
        self.log.append(('jump', time))

    def on_finished(self) -> None:
        self.log.append('finished')


@pytest.fixture
def recorder() -> type[Recorder]:
    return Recorder


@pytest.fixture
def pendulum() -> mujoco.MjModel:
    """Returns a model with one hinge and a timestep of 2 ms."""
    return mujoco.MjModel.from_xml_string(PENDULUM)


@pytest.fixture
def until() -> Callable[[Callable[[], Any]], Any]:
    """Returns `until(condition)`, which waits for the condition up to a deadline."""
    return deadline.until


@pytest.fixture
def simulate() -> Iterator[Callable[..., Simulation]]:
    """Returns `simulate(model, **options)`: a started simulation, with the given model."""
    made: list[Simulation] = []

    def start(model: mujoco.MjModel | None = None, *loaded: Any, **options: Any) -> Simulation:
        simulation = Simulation(**options)
        simulation.start()
        made.append(simulation)
        if model is not None:
            simulation.load(model, *loaded).result(DEADLINE_S)
        return simulation

    yield start
    assert [simulation.close(DEADLINE_S) for simulation in made] == [True] * len(made)
