"""Noise that is set while a server runs, and what the answers tell of what has to wait."""

from __future__ import annotations

import pytest
from geometry_msgs.msg import Vector3Stamped

from .harness import PENDULUM, wait_until

pytestmark = pytest.mark.slow

SENSED = PENDULUM.replace('</body>', '<site name="tip" pos="0 0 -0.5"/></body>').replace(
    '</mujoco>',
    '<sensor><gyro name="spin" site="tip"/><velocimeter name="slide" site="tip"/></sensor>'
    '</mujoco>',
)
NATIVE = {
    'mujoco_xml': SENSED,
    'MujocoPlugins.names': ['s'],
    'MujocoPlugins.s.type': 'mujoco_ros_py/Sensors',
    'MujocoPlugins.s.noise.slide.stddev': 0.1,
}
WAITS = 'takes effect at the next reload'


def answer(client, **values) -> tuple[bool, str]:
    """Sets one parameter, and returns whether it is set and what the answer says."""
    (result,) = client.set_parameters(**values)
    return result.successful, result.reason


def test_noise_counts_at_once_and_the_answer_tells_what_is_refused_or_waits_for_a_reload(start):
    """Also noise of a sensor and of an axis that the parameters did not name."""
    _, client = start(NATIVE)
    spins = client.collect(Vector3Stamped, '/s/spin')
    assert answer(client, MujocoPlugins__s__noise__spinn__stddev=1.0) == (
        False,
        "MujocoPlugins.s.noise: unknown sensor 'spinn' (did you mean 'spin'?); known: slide, spin",
    )
    assert answer(client, MujocoPlugins__s__noise__spin__bias_mean=50.0) == (True, '')
    wait_until(lambda: spins and spins[-1].vector.z == 50.0, 'noise of the sensor')
    assert answer(client, MujocoPlugins__s__noise__spin__z__bias_mean=70.0) == (True, '')
    wait_until(lambda: spins[-1].vector.z == 70.0, 'noise of the axis')

    assert answer(client, MujocoPlugins__s__update_rate=50.0) == (True, WAITS)
    assert answer(client, MujocoPlugins__other__noise__spin__stddev=1.0) == (True, WAITS)
    assert answer(client, strict=True) == (True, WAITS)
    assert answer(client, initial_joint_positions__joint_map__hinge=0.5) == (True, WAITS)
    assert answer(client, realtime=2.0) == (True, '')
    (result,) = client.set_parameters(
        atomically=True, realtime=1.0, MujocoPlugins__s__seed=3, MujocoPlugins__s__publish_tf=False
    )
    assert result.reason == f'{WAITS}: MujocoPlugins.s.publish_tf'
    (result,) = client.set_parameters(MujocoPlugins='[]')
    assert result.reason.startswith('instead of MujocoPlugins.')
    assert result.reason.endswith(WAITS)


def test_the_answer_tells_that_noise_of_a_group_waits_for_a_reload_in_the_native_form(start):
    group = 'MujocoPlugins.robot.plugins'
    _, client = start(
        {
            'mujoco_xml': SENSED,
            'MujocoPlugins.names': ['robot'],
            'MujocoPlugins.robot.prefix': '',
            f'{group}.names': ['s'],
            f'{group}.s.type': 'mujoco_ros_py/Sensors',
        }
    )
    spins = client.collect(Vector3Stamped, '/robot/s/spin')
    name = f'{group}.s.noise.spin.bias_mean'.replace('.', '__')
    assert answer(client, **{name: 50.0}) == (True, WAITS)
    assert client.trigger('reload').success
    wait_until(lambda: spins and spins[-1].vector.z == 50.0, 'noise of the group')


def test_where_the_form_is_a_text_an_unnamed_sensor_is_refused_with_the_parameters_there_are(
    start,
):
    text = '[{type: mujoco_ros_py/Sensors, name: s, noise: {slide: {stddev: 0.1}}}]'
    _, client = start({'mujoco_xml': SENSED, 'MujocoPlugins': text})
    accepted, reason = answer(client, s__noise__spin__stddev=1.0)
    assert not accepted
    assert reason.startswith("s: unknown parameter 'noise.spin.stddev'")
    known = reason.partition('known: ')[2].partition(';')[0].split(', ')
    assert {'seed', 'noise.slide.stddev', 'noise.slide.type'} <= set(known)
    assert not {'update_rate', 'modelfile'} & set(known)
    assert reason.endswith('other fields are read at a reload')
