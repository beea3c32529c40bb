"""The topics of sensors: which there are, and with which noise."""

from __future__ import annotations

import pytest

from .harness import PENDULUM, wait_until

pytestmark = pytest.mark.slow

SITE = PENDULUM.replace('</body>', '<site name="tip" pos="0 0 -0.5"/></body>')


def test_only_a_sensor_that_is_given_noise_has_a_topic_of_the_truth(start):
    noises = {'exact': {}, 'noisy': {'stddev': 0.1}, 'quiet': {'type': 'none'}}
    imus = [
        {'type': 'mujoco_ros_py/Imu', 'name': name, 'site': 'tip',
         'noise': {'angular_velocity': noise} if noise else {}}
        for name, noise in noises.items()
    ]  # fmt: skip
    _, client = start({'mujoco_xml': SITE, 'MujocoPlugins': str(imus)})

    def topics() -> set[str]:
        return {name for name, _ in client.node.get_topic_names_and_types()}

    known = {'/exact', '/noisy', '/quiet', '/joint_states', '/diagnostics'}
    wait_until(lambda: known <= topics(), 'the topics')
    truths = {name for name in topics() if name.endswith('/ground_truth')}
    assert truths == {'/noisy/ground_truth', '/quiet/ground_truth'}
