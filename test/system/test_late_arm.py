"""The example `late_arm`: the commands of its node arrive late, and the loop becomes unstable."""

from __future__ import annotations

import cmath
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest
import yaml
from deadline import DEADLINE_S
from sensor_msgs.msg import JointState

from .harness import seconds, wait_until

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / 'examples'
NODE = EXAMPLES / 'late_arm.py'
KP, KD = map(float, re.findall(r'KP, KD, TARGET = (\S+), (\S+),', NODE.read_text())[0])
PERIOD_S = 0.001
LATENCY = 'bus.timeline.late.latency'


@pytest.fixture
def client(start):
    (node,) = yaml.safe_load((EXAMPLES / 'late_arm.yaml').read_text()).values()
    return start({**node['ros__parameters'], 'render_offscreen': False, 'unpause': False})[1]


@pytest.fixture
def run(client, domain):
    """`run(latency_s)`: runs the node from a reset on; its errors after 0.5 s and after 1.5 s."""

    def run(latency_s: float) -> tuple[float, float]:
        assert client.pause(True).success
        assert client.set_parameters(**{LATENCY: latency_s})[0].successful
        assert client.trigger('reset').success
        assert client.pause(False).success
        done = subprocess.run(
            [sys.executable, str(NODE)],
            env={**os.environ, 'ROS_DOMAIN_ID': str(domain)},
            capture_output=True, text=True, timeout=DEADLINE_S, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        early, late = map(float, re.findall(r'(\S+) rad', done.stdout))
        return early, late

    return run


def survived_s() -> float:
    """The delay at which the loop becomes unstable, from its frequency response."""
    model = mujoco.MjModel.from_xml_path(str(EXAMPLES / 'arm.xml'))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    inertia = np.zeros(model.nv)
    mujoco.mj_mulM(model, data, inertia, np.eye(model.nv)[0])

    def loop(frequency: float) -> complex:
        s = 1j * frequency
        return (KP + KD * s) / (inertia[0] * s * s + model.dof_damping[0] * s)

    low, high = 1.0, 1000.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if abs(loop(middle)) > 1.0 else (low, middle)
    return (math.pi + cmath.phase(loop(low))) / low - PERIOD_S / 2


def test_the_loop_becomes_unstable_at_the_predicted_latency_within_a_control_period(run):
    limit_s = survived_s()
    assert limit_s == pytest.approx(0.0376, abs=1e-4), 'the page says so'
    early, late = run(limit_s - PERIOD_S)
    assert late < 0.8 * early
    early, late = run(limit_s + PERIOD_S)
    assert late > early


def test_a_node_that_is_started_after_a_reset_repeats_the_run_to_the_bit(client, run):
    paths = []
    for _ in range(2):
        heard = client.collect(JointState, '/joint_states')
        run(0.02)
        wait_until(lambda heard=heard: seconds(heard[-1].header.stamp) > 1.99, 'the last state')
        paths.append({seconds(m.header.stamp): m.position[0] for m in heard})
        client.forget_subscriptions()
    common = paths[0].keys() & paths[1].keys()
    assert len(common) > 100
    assert all(paths[0][time] == paths[1][time] for time in common)
