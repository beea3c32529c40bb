"""Two hundred sensors at 1 kHz, too many for one thread: the physics does not wait."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from builtin.sensors.named.sensed_robot import sensors
from mujoco_ros_msgs.msg import ArrayStamped
from system.harness import wait_until

pytestmark = pytest.mark.slow

COUNT, NUMBERS, STEPS = 200, 300, 2000
PERIOD_S = 10.0
"""The interval in s between two warnings in the log."""
TOLD = ''.join(f'<user name="s{k}" dim="{NUMBERS}"/>' for k in range(COUNT))
MODEL = f"""
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <body>
      <joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.3 0 -0.5" size="0.02"/>
    </body>
  </worldbody>
  <sensor>{TOLD}</sensor>
</mujoco>
"""
DRIFT = {'dynamic_bias_stddev': 1.0, 'dynamic_bias_correlation_time': 1.0}
PLUGIN = sensors(
    update_rate=1000.0, ground_truth=False, noise={f's{k}': DRIFT for k in range(COUNT)}
)
"""Noise that drifts makes each number of a message costly, so that the sensors need many cores."""
TOPIC = '/s/s7'


def pace(simulation: Any) -> float:
    """Waits for some steps; returns the real-time factor."""
    begin_s, begin = time.monotonic(), simulation.status().steps
    wait_until(lambda: simulation.status().steps >= begin + STEPS, 'steps')
    made = simulation.status().steps - begin
    return made * 0.001 / (time.monotonic() - begin_s)


def published(sensing) -> int:
    topics = sensing.plugin('s')._topics.values()
    return sum(each.publishers[0].published for each in topics)


def test_what_cannot_be_kept_up_is_left_out_and_said_and_the_physics_does_not_wait(
    sense, caplog, record_property
):
    sensing = sense(MODEL, PLUGIN)
    heard = sensing.hear(ArrayStamped, TOPIC, 1000.0)
    simulation, client = sensing.simulation, sensing.client
    before = published(sensing)
    begin_s = time.monotonic()
    assert client.pause(False).success
    with_sensors = pace(simulation)
    assert client.pause(True).success
    due = COUNT * simulation.status().steps
    count = published(sensing) - before
    assert count < 0.3 * due, 'the physics has not waited for the sensors, which are too much'

    def accounted_for() -> int:
        return published(sensing) - before + simulation.exchange.left_out

    wait_until(lambda: accounted_for() > 0.9 * due, 'what is not sent is counted')
    assert accounted_for() < 1.1 * due
    assert heard.times == sorted(set(heard.times))

    def said() -> list[str]:
        lines = [record.getMessage() for record in caplog.records]
        return [line for line in lines if 'messages were dropped' in line]

    wait_until(said, 'a line of the log')
    assert len(said()) <= 1 + (time.monotonic() - begin_s) / PERIOD_S, 'once in a while'
    assert said()[0].startswith('the feed of outlets cannot keep up: ')
    left_out = simulation.exchange.left_out
    assert int(client.diagnostics()['simulation'][2]['messages left out']) >= left_out

    assert all(each.successful for each in client.set_parameters(MujocoPlugins=json.dumps([])))
    assert client.trigger('reload').success
    assert client.pause(False).success
    without = pace(simulation)
    record_property(
        'figure', f'paces {with_sensors:.2f} and {without:.2f}; sent {count / due:.3f}'
    )
