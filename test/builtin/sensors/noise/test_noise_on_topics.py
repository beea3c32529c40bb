"""Ten thousand noise samples received over DDS, within their confidence bounds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from builtin.sensors.noise.chance import (
    check_correlation,
    check_distribution,
    check_mean,
    check_variance,
    check_white,
    deviations,
)
from mujoco_ros_msgs.msg import ArrayStamped

pytestmark = pytest.mark.slow

SAMPLES, TIMESTEP = 10_000, 0.01
NOISES = {
    'white': {'mean': 0.3, 'stddev': 2.0},
    'coarse': {'type': 'gaussian_quantized', 'stddev': 0.4, 'precision': 0.5},
    'constant': {'bias_mean': 1.5, 'bias_stddev': 0.5},
    'drifting': {'dynamic_bias_stddev': 0.2, 'dynamic_bias_correlation_time': 0.05},
}
MODEL = f"""
<mujoco>
  <option timestep="{TIMESTEP}"/>
  <worldbody><body><joint/><geom size="0.1"/></body></worldbody>
  <sensor>{''.join(f'<user name="{name}" dim="{SAMPLES}"/>' for name in NOISES)}</sensor>
</mujoco>
"""
"""Sensors whose numbers are all 0 without noise; each of them draws its own."""
PLUGIN = {
    'type': 'mujoco_ros_py/Sensors', 'name': 's', 'update_rate': 1 / TIMESTEP, 'noise': NOISES,
    'ground_truth': False, 'seed': 11,
}  # fmt: skip


@pytest.fixture
def moments(sense):
    """Returns the values of each noisy topic at 0.09 s and 0.12 s, by name."""
    sensing = sense(MODEL, PLUGIN)
    heard = sensing.hear_all({f'/s/{name}': ArrayStamped for name in NOISES}, 1 / TIMESTEP)
    sensing.step(12)
    told = {}
    for name, topic in zip(NOISES, heard, strict=True):
        values = [np.array(topic.by_time[time].data) for time in (0.09, 0.12)]
        assert [len(each) for each in values] == [SAMPLES] * 2
        told[name] = values
    return told


def test_noise_that_arrives_has_its_mean_variance_bias_and_correlation_time(moments):
    for values in moments['white']:
        check_distribution(values, 0.3, 2.0)
        check_white(values)
    check_correlation(*moments['white'])
    for values in moments['coarse']:
        assert np.array_equal(values, np.round(values / 0.5) * 0.5)
        check_mean(values, 0.0, math.sqrt(0.4**2 + 0.5**2 / 12))
        check_variance(values, 0.0, 0.4**2 + 0.5**2 / 12)
    before, after = moments['constant']
    assert np.array_equal(before, after), 'it is drawn once'
    check_distribution(before, 1.5, 0.5)
    check_white(before)
    check_drift(*moments['drifting'])


def check_drift(before: np.ndarray, after: np.ndarray) -> None:
    """Checks the variances of a drifting bias at 0.09 s and 0.12 s, and its correlation time."""
    drive, correlation_s, apart_s = 0.2, 0.05, 0.03

    def spread(age_s: float) -> float:
        return drive * math.sqrt(-0.5 * correlation_s * math.expm1(-2 * age_s / correlation_s))

    decay = math.exp(-apart_s / correlation_s)
    check_distribution(before, 0.0, spread(0.09))
    check_distribution(after, 0.0, spread(0.12))
    check_correlation(before, after, decay * spread(0.09) / spread(0.12))
    check_distribution(after - decay * before, 0.0, spread(apart_s))
    found = np.sum(before * after) / np.sum(before**2)
    bound = deviations() * spread(apart_s) / spread(0.09) / math.sqrt(SAMPLES)
    assert abs(found - decay) < bound
    nearest, farthest = (-apart_s / math.log(decay + side * bound) for side in (-1, 1))
    assert nearest < -apart_s / math.log(found) < farthest
    assert farthest - nearest < 0.5 * correlation_s, 'the bound tells something'
