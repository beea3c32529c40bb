"""Range over DDS, in front of walls at known distances."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sensor_msgs.msg import Range

pytestmark = pytest.mark.slow

AWAY, SLANT = 2.0, 0.5
"""The wall's distance along its normal, and the normal's angle to the sensor's axis."""
WORLD = f"""
<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.002" gravity="0 0 0"/>
  <worldbody>
    <geom type="box" size="0.01 20 20" euler="0 0 {SLANT}"
      pos="{(AWAY + 0.01) * math.cos(SLANT)} {(AWAY + 0.01) * math.sin(SLANT)} 0"/>
    <body name="robot">
      <freejoint/>
      <geom size="0.1" mass="1"/>
      <site name="sonar"/>
      <site name="beam" euler="0 {math.pi / 2} 0"/>
      <site name="behind" euler="0 0 {math.pi}"/>
    </body>
  </worldbody>
  <sensor>
    <rangefinder name="finder" site="beam"/>
    <rangefinder name="short" site="beam" cutoff="2.2"/>
    <rangefinder name="long" site="beam" cutoff="2.3"/>
  </sensor>
</mujoco>
"""
RATE = {'update_rate': 500.0}


MANY = 100
"""The number of messages for estimates of the mean and the deviation of noise."""


def test_the_distance_is_that_of_the_nearest_point_in_the_cone(measured):
    """The wall comes nearer to the left, up to the edge of the cone."""
    limits = {'range': {'min': 0.2, 'max': 5.0}}
    message, wide, ray, short, far = measured(
        WORLD,
        'Range',
        Range,
        {'site': 'sonar', 'field_of_view': 0.6, **limits},
        {'site': 'sonar', 'field_of_view': 1.5, 'samples': 4000},
        {'site': 'sonar', 'samples': 1, 'radiation_type': 'infrared'},
        {'rangefinder': 'short', 'range': {'max': 5.0}},
        {'rangefinder': 'finder', 'range': {'max': 5.0}},
    )
    assert message.range == pytest.approx(AWAY / math.cos(SLANT - 0.3), rel=1e-6)
    assert message.header.frame_id == 'sonar'
    assert message.field_of_view == pytest.approx(0.6)
    assert (message.min_range, message.max_range) == pytest.approx((0.2, 5.0))
    assert message.radiation_type == Range.ULTRASOUND
    assert message.variance == 0
    assert AWAY - 1e-6 <= wide.range == pytest.approx(AWAY, rel=1e-3), 'along the normal'
    assert ray.range == pytest.approx(AWAY / math.cos(SLANT), rel=1e-6), 'along the axis'
    assert ray.radiation_type == Range.INFRARED
    assert (short.max_range, far.max_range) == pytest.approx((2.2, 5.0)), 'or the cutoff'


DISTANCES = [
    ({'site': 'sonar', 'range': {'max': 1.9}}, math.inf),
    ({'site': 'sonar', 'range': {'min': 2.5, 'max': 5.0}}, -math.inf),
    ({'site': 'behind'}, math.inf),
    ({'site': 'sonar', 'exclude_robot': False, 'range': {'min': 0.2}}, -math.inf),
    ({'site': 'sonar', 'range': {'resolution': 0.25}}, 2.0),
    ({'rangefinder': 'finder'}, AWAY / math.cos(SLANT)),
    ({'rangefinder': 'finder', 'range': {'max': 2.0}}, math.inf),
    ({'rangefinder': 'finder', 'range': {'min': 2.5, 'max': 5.0}}, -math.inf),
    ({'rangefinder': 'finder', 'range': {'resolution': 0.5}}, 2.5),
    ({'rangefinder': 'short'}, math.inf),
    ({'rangefinder': 'long'}, AWAY / math.cos(SLANT)),
]


def test_what_is_too_far_or_too_near_and_what_is_rounded_is_told_so(measured):
    messages = measured(WORLD, 'Range', Range, *(config for config, _ in DISTANCES))
    for message, (config, distance) in zip(messages, DISTANCES, strict=True):
        assert message.range == pytest.approx(distance), config


def test_a_rangefinder_that_hits_nothing_is_inf_and_is_in_the_frame_of_its_site(load_sensor):
    sensor = load_sensor(WORLD, 'Range', rangefinder='finder', **RATE)
    assert sensor.measure(Range).header.frame_id == 'beam'
    sensor.call(lambda model, data: data.qpos.__setitem__(slice(3, 7), (0, 0, 0, 1)))
    assert sensor.measure(Range).range == math.inf


@pytest.mark.parametrize('config', [{'site': 'sonar'}, {'rangefinder': 'finder'}])
def test_the_noise_is_that_of_the_nearest_distance_however_many_rays_there_are(
    load_sensor, config
):
    noise = {'mean': 0.1, 'stddev': 0.05}
    sensor = load_sensor(WORLD, 'Range', noise=noise, **config, **RATE)
    truth = sensor.measure(Range, '/sensor/ground_truth')
    messages = [sensor.measure(Range) for _ in range(MANY)]
    errors = np.array([message.range for message in messages]) - truth.range
    assert errors.mean() == pytest.approx(0.1, abs=5 * 0.05 / math.sqrt(MANY))
    assert errors.std() == pytest.approx(0.05, rel=5 / math.sqrt(2 * MANY))
    assert messages[-1].variance == pytest.approx(0.05**2)
    assert truth.variance == 0
