"""Measurements of how late paced steps begin, and of the real-time factor."""

from __future__ import annotations

import threading
from itertools import count

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import Point, python_callback
from mujoco_ros_py.simulation import RealtimeMeter

FINE = '<mujoco><option timestep="0.0005"/></mujoco>'


@pytest.fixture
def fine() -> mujoco.MjModel:
    """Half a millisecond a step."""
    return mujoco.MjModel.from_xml_string(FINE)


def test_a_measurement_is_about_the_steps_since_the_last_one(simulate, recorder, fine, until):
    steps, measured = count(1), []

    def measure() -> None:
        if next(steps) == 120:
            measured.append(early.measure())

    plugins = recorder([python_callback(Point.LAST_STAGE, measure)])
    simulation = simulate(fine, plugins, paused=True, num_steps=300)
    early, late = simulation.lateness_meter(), simulation.lateness_meter()

    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: simulation.status().steps == 300)
    measured.append(early.measure())

    assert [each.steps for each in measured] == [120, 180]
    assert late.measure().steps == 300
    assert early.measure() is None


def test_the_measurement_has_percentiles_and_the_maximum(simulate, fine, until):
    simulation = simulate(fine, paused=True, num_steps=2010)
    meter = simulation.lateness_meter()

    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: simulation.status().steps == 2010)
    measured = meter.measure()

    ordered = np.sort(simulation.lateness_ns()) / 1e3
    assert len(ordered) == measured.steps == 2010
    expected = [ordered[1004], ordered[1989], ordered[2007], ordered[2009]]
    assert [measured.p50_us, measured.p99_us, measured.p99_9_us, measured.max_us] == expected


def test_a_step_that_somebody_delays_is_late_by_the_delay(simulate, fine, until):
    simulation = simulate(fine)
    until(lambda: simulation.status().steps > 10)
    meter = simulation.lateness_meter()

    simulation.submit(lambda m, d: threading.Event().wait(0.05)).result(DEADLINE_S)
    steps = simulation.status().steps
    until(lambda: simulation.status().steps > steps + 1)

    assert meter.measure().max_us > 45_000


@pytest.mark.parametrize('realtime', [1.0, -1.0])
def test_steps_that_are_not_paced_have_no_lateness(simulate, fine, realtime):
    simulation = simulate(fine, paused=True, realtime=realtime)
    meter = simulation.lateness_meter()

    simulation.step(1000).result(DEADLINE_S)  # a pause is made at full speed

    assert meter.measure() is None


def test_an_unthrottled_simulation_has_no_lateness(simulate, fine, until):
    simulation = simulate(fine, realtime=-1.0)
    meter = simulation.lateness_meter()

    until(lambda: simulation.status().steps > 10_000)

    assert meter.measure() is None


def test_of_many_steps_the_newest_4096_count(simulate, fine, until):
    simulation = simulate(fine, paused=True, realtime=50.0, num_steps=5000)
    meter = simulation.lateness_meter()

    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: simulation.status().steps == 5000)

    assert meter.measure().steps == 4096
    assert meter.measure() is None


def test_the_real_time_factor_stays_until_the_shortest_measurement_is_over(simulate, fine):
    simulation = simulate(fine, paused=True)
    at_once = RealtimeMeter(simulation)
    later = RealtimeMeter(simulation, at_least_s=DEADLINE_S)

    simulation.step(100).result(DEADLINE_S)

    assert at_once.measure(simulation.status()) > 0.0
    assert later.measure(simulation.status()) == 0.0
