"""Fixtures with a simulation and a plugin environment in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.plugins.host import SessionParts
from mujoco_ros_py.simulation import Simulation, SnapshotFeed


@pytest.fixture
def simulation() -> Iterator[Simulation]:
    simulation = Simulation(paused=True)
    simulation.start()
    yield simulation
    assert simulation.close(DEADLINE_S)


@pytest.fixture
def parts(simulation: Simulation) -> SessionParts:
    return SessionParts(simulation=simulation, feed=SnapshotFeed(simulation, 1000.0))
