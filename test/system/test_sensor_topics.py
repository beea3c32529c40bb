"""The topics of sensors: which there are, and with which noise."""

from __future__ import annotations

import pytest

from .harness import PENDULUM, wait_until

pytestmark = pytest.mark.slow

SITE = PENDULUM.replace('</body>', '<site name="tip" pos="0 0 -0.5"/></body>')


@pytest.mark.parametrize(
    ('noise', 'has_truth'),
    [({}, False), ({'angular_velocity': {'stddev': 0.1}}, True),
     ({'angular_velocity': {'type': 'none'}}, True)],
)  # fmt: skip
def test_only_a_sensor_that_is_given_noise_has_a_topic_of_the_truth(start, noise, has_truth):
    imu = {'type': 'mujoco_ros_py/Imu', 'name': 'imu', 'site': 'tip', 'noise': noise}
    _, client = start({'mujoco_xml': SITE, 'MujocoPlugins': str([imu])})

    def topics() -> set[str]:
        return {name for name, _ in client.node.get_topic_names_and_types()}

    wait_until(lambda: {'/imu', '/joint_states', '/diagnostics'} <= topics(), 'the topics')
    assert ('/imu/ground_truth' in topics()) == has_truth
