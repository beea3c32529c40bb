"""The choice of published sensors, topics and frames, and the errors of wrong choices."""

from __future__ import annotations

import json

import mujoco
import pytest
from builtin.sensors.named.sensed_robot import NAMED, ROBOT, sensors
from geometry_msgs.msg import Vector3Stamped
from mujoco_ros_msgs.msg import ScalarStamped
from system.harness import wait_until

from mujoco_ros_py.session import Session


def topics(sensing) -> set[str]:
    """Returns the current sensor topics of the server."""
    told = sensing.server.node.get_publisher_names_and_types_by_node('mujoco_server', '/')
    kinds = ('geometry_msgs/', 'mujoco_ros_msgs/')
    return {name for name, types in told if types[0].startswith(kinds)}


@pytest.mark.slow
def test_without_a_choice_all_sensors_with_a_name_are_published(sense):
    found = topics(sense(ROBOT, sensors()))
    assert found == {f'/s/{name.replace(" ", "_")}' for name in NAMED}


@pytest.mark.slow
def test_sensors_can_be_chosen_and_left_out_and_have_topics_and_frames_of_their_own(sense):
    sensing = sense(
        ROBOT,
        sensors(
            sensors=['angle', 'spin', 'clock'], exclude=['clock'],
            topics={'spin': 'gyro', 'angle': '~/hinge/angle'},
            frame_ids={'spin': 'imu_link', 'angle': ''},
        ),
        frame_prefix='pendulum/',
    )  # fmt: skip
    assert topics(sensing) == {'/gyro', '/s/hinge/angle'}
    spin = sensing.hear(Vector3Stamped, '/gyro')
    assert spin.last.header.frame_id == 'pendulum/imu_link'
    angle = sensing.hear(ScalarStamped, '/s/hinge/angle')
    assert angle.last.header.frame_id == ''


WRONG = [
    ({'sensors': ['angel']}, "sensors: unknown sensor 'angel' (did you mean 'angle'?); known: "),
    ({'exclude': ['spim']}, "exclude: unknown sensor 'spim' (did you mean 'spin'?)"),
    ({'update_rates': {'x': 10.0}}, "update_rates: unknown sensor 'x'; known: angle"),
    ({'topics': {'x': 'y'}}, "topics: unknown sensor 'x'; known: angle"),
    ({'frame_ids': {'x': 'y'}}, "frame_ids: unknown sensor 'x'; known: angle"),
    ({'noise': {'x': {'stddev': 1.0}}}, "noise: unknown sensor 'x'; known: angle"),
    (
        {'noise': {'angle': {'x': {'stddev': 1.0}}}},
        'noise.angle: x, y and z apply only to vectors, but the sensor is of kind scalar',
    ),
    (
        {'noise': {'pixel': {'z': {'stddev': 1.0}}}},
        'noise.pixel: x, y and z apply only to vectors, but the sensor is of kind array',
    ),
    (
        {'update_rates': {'angle': 0.0}},
        'update_rates.angle must be greater than 0 and at most 10000, got 0',
    ),
    (
        {'topics': {'spin': '~/angle'}},
        "topics: 'angle' and 'spin' are both on ~/angle; change one topic",
    ),
    ({'update_rate': 20_000.0}, 'update_rate must be greater than 0 and at most 10000'),
]


@pytest.mark.parametrize(('config', 'words'), WRONG)
def test_a_wrong_choice_is_refused_with_what_there_is(config, words):
    model = mujoco.MjModel.from_xml_string(ROBOT)
    with Session(model, plugins=[sensors(**config)]) as session:
        (problem,) = session.problems
    assert words in problem


def without_spin() -> str:
    return ROBOT.replace('<gyro name="spin" site="tip"/>', '')


@pytest.mark.slow
def test_a_sensor_that_a_reload_removes_has_no_topic_any_more(sense):
    sensing = sense(ROBOT, sensors())
    angle = sensing.hear(ScalarStamped, '/s/angle')
    assert '/s/spin' in topics(sensing)
    assert all(
        each.successful for each in sensing.client.set_parameters(mujoco_xml=without_spin())
    )
    assert sensing.client.trigger('reload').success
    assert '/s/spin' not in topics(sensing)
    wait_until(lambda: sensing.client.node.count_publishers('/s/spin') == 0, 'the end of a topic')
    before = len(angle.messages)
    wait_until(lambda: len(angle.messages) > before, 'the sensor that is still there')


@pytest.mark.slow
def test_a_reload_that_removes_a_sensor_that_is_named_refuses_the_plugin_with_what_there_is(sense):
    sensing = sense(ROBOT, sensors(sensors=['spin', 'angle']))
    sensing.client.set_parameters(mujoco_xml=without_spin())
    sensing.client.trigger('reload')
    (refusal,) = sensing.refusals
    assert "sensors: unknown sensor 'spin'" in refusal
    assert 'known: angle, axis, clock, cut, cut spin' in refusal
    assert topics(sensing) == set()


@pytest.mark.slow
def test_with_strict_such_a_reload_changes_nothing(sense):
    sensing = sense(ROBOT, sensors(sensors=['spin', 'angle']), strict=True)
    sensing.client.set_parameters(mujoco_xml=without_spin())
    answer = sensing.client.trigger('reload')
    assert not answer.success
    assert "unknown sensor 'spin'" in answer.message
    assert topics(sensing) == {'/s/spin', '/s/angle'}


@pytest.mark.slow
def test_sensors_of_a_group_are_named_and_framed_without_the_prefix(sense):
    robots = ''.join(
        f'<body name="{side}/rod" pos="0 {y} 1"><joint name="{side}/hinge" axis="0 1 0"/>'
        f'<geom size="0.1" pos="0.2 0 0"/><site name="{side}/tip"/></body>'
        for y, side in enumerate(['left', 'right'])
    )
    told = ''.join(f'<gyro name="{side}/spin" site="{side}/tip"/>' for side in ['left', 'right'])
    xml = f'<mujoco><worldbody>{robots}</worldbody><sensor>{told}</sensor></mujoco>'
    groups = [
        {'namespace': side, 'prefix': f'{side}/', 'plugins': [sensors()]}
        for side in ['left', 'right']
    ]
    sensing = sense(xml, MujocoPlugins=json.dumps(groups))
    assert topics(sensing) == {'/left/s/spin', '/right/s/spin'}
    for side in ['left', 'right']:
        spin = sensing.hear(Vector3Stamped, f'/{side}/s/spin')
        assert spin.last.header.frame_id == f'{side}/tip'
