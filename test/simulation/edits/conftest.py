"""A simulation whose model and state the tests change, without ROS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import pytest

from mujoco_ros_py.simulation import NoPlugins, Simulation


class Hearing(NoPlugins):
    """Plugins that write down which elements of the model have changed."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def model_changed(self, model: mujoco.MjModel, data: mujoco.MjData, changes: Any) -> None:
        self.heard += [(change.kind, change.number) for change in changes]


@pytest.fixture
def run() -> Iterator[Callable[[str], Simulation]]:
    """Returns `run(xml)`: a paused simulation of the model, with plugins that write down."""
    made: list[Simulation] = []

    def begin(xml: str) -> Simulation:
        simulation = Simulation(paused=True, idle=False)
        made.append(simulation)
        simulation.start()
        simulation.load(mujoco.MjModel.from_xml_string(xml), Hearing()).result()
        return simulation

    yield begin
    for simulation in made:
        simulation.close()
