"""Sessions with real-time scheduling, and the lateness that they and their plugins can read."""

from __future__ import annotations

import os
import threading
import time

import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.plugins import MujocoPlugin
from mujoco_ros_py.session import Session

EMPTY = '<mujoco><option timestep="0.001"/></mujoco>'
NO_SUCH_CORE = 8191


class Punctual(MujocoPlugin):
    """Measures how late the steps begin while it is loaded."""

    def load(self, model, data):
        self.meter = self.environment.simulation.lateness_meter()


def test_the_physics_of_a_session_runs_on_the_cores_that_it_was_given():
    core = max(os.sched_getaffinity(0))

    with Session(mujoco_xml=EMPTY, cpu_affinity=[core]) as session:
        cores = session.call(lambda model, data: os.sched_getaffinity(0))

    assert cores == {core}


def test_a_session_that_the_system_does_not_permit_is_refused_and_leaves_no_thread():
    before = set(threading.enumerate())

    with pytest.raises(ConfigError, match=f'^cpu_affinity must be among .*, got {NO_SUCH_CORE}; '):
        Session(mujoco_xml=EMPTY, cpu_affinity=[NO_SUCH_CORE])

    assert set(threading.enumerate()) <= before


def test_a_session_and_its_plugins_measure_the_lateness_of_its_steps():
    with Session(mujoco_xml=EMPTY, plugins=[Punctual], realtime=1.0) as session:
        meter = session.lateness_meter()
        assert meter.measure() is None
        session.set_paused(False)
        deadline = time.monotonic() + DEADLINE_S
        while session.status.steps < 100:
            assert time.monotonic() < deadline
        session.set_paused(True)
        of_the_session = meter.measure()
        of_the_plugin = session.plugins['punctual'].meter.measure()

    assert of_the_session == of_the_plugin
    assert of_the_session.steps >= 100
