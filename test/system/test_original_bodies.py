"""The services of bodies, as clients of the original server call them."""

from __future__ import annotations

import math

import pytest

pytest.importorskip('mujoco_ros_msgs.srv', reason='mujoco_ros_msgs was not built')

from geometry_msgs.msg import TwistStamped, Vector3
from mujoco_ros_msgs.msg import BodyState
from mujoco_ros_msgs.srv import ResetBodyQPos

from .original_robot import ROBOT, body, place_of, pose, set_body, velocity_of

pytestmark = pytest.mark.slow
PAUSED = {'mujoco_xml': ROBOT, 'unpause': False}
BENT = 0.5
"""The angle of the joint `one` in rad where `two` is at 0: an equality couples them."""
HALF = math.sqrt(0.5)


@pytest.fixture
def client(share):
    """The client of a paused server."""
    return share(PAUSED)[1]


def twist(linear=(0.0, 0.0, 0.0), angular=(0.0, 0.0, 0.0), frame=''):
    made = TwistStamped()
    made.header.frame_id = frame
    made.twist.linear = Vector3(**dict(zip('xyz', linear, strict=True)))
    made.twist.angular = Vector3(**dict(zip('xyz', angular, strict=True)))
    return made


def test_what_was_set_is_what_get_returns(client):
    state = BodyState(
        pose=pose(1.0, 2.0, 3.0, quat=(HALF, 0.0, 0.0, HALF)),
        twist=twist((0.1, 0.2, 0.3), (0.4, 0.5, 0.6)),
        mass=0.299,
    )
    answer = set_body(client, 'body_ball', state, set_pose=True, set_twist=True, set_mass=True)
    assert answer.success, answer.status_message
    assert answer.status_message == (
        "mass of body 'body_ball' set; pose of body 'body_ball' set;"
        " velocity of body 'body_ball' set"
    )
    found = body(client, 'body_ball').state
    assert found.name == 'body_ball'
    assert place_of(found.pose) == pytest.approx([1, 2, 3, HALF, 0, 0, HALF])
    assert velocity_of(found.twist) == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    assert found.mass == pytest.approx(0.299)
    assert found.pose.header.frame_id == found.twist.header.frame_id == 'world'


def test_what_no_flag_asks_for_stays(client):
    before = body(client, 'body_ball').state
    state = BodyState(pose=pose(1.0, 2.0, 3.0), twist=twist((9.0, 9.0, 9.0)), mass=9.0)
    answer = set_body(client, 'body_ball', state)
    assert (answer.success, answer.status_message) == (True, '')
    assert body(client, 'body_ball').state == before


def test_the_name_of_a_geom_is_that_of_its_body_and_any_other_fails(client):
    for name in '', 'unknown':
        for answer in (body(client, name), set_body(client, name, set_mass=True)):
            assert not answer.success
            assert f"unknown body or geom '{name}'" in answer.status_message
            assert 'body_ball' in answer.status_message
    assert body(client, 'EE').state.name == 'end'
    assert set_body(client, 'ball', BodyState(pose=pose(0.0, 0.0, 2.0)), set_pose=True).success
    assert place_of(body(client, 'body_ball').state.pose)[:3] == [0, 0, 2]


def test_a_body_that_is_hinged_or_fixed_is_not_moved(client):
    for name, joints, flag in (
        ('base', 'hinge', 'set_pose'),
        ('immovable', 'no joint', 'set_twist'),
        ('base', 'hinge', 'reset_qpos'),
    ):
        answer = set_body(client, name, BodyState(pose=pose(0.0, 0.0, 2.0)), **{flag: True})
        assert not answer.success
        assert f"body '{name}' must have exactly one joint, a free joint" in answer.status_message
        assert f'it has {joints}' in answer.status_message


def test_a_part_that_fails_is_told_and_the_others_are_done(client):
    state = BodyState(
        pose=pose(1.0, 2.0, 3.0, frame='some_unknown_frame'),
        twist=twist((1.0, 0.0, 0.0)),
        mass=0.5,
    )
    answer = set_body(client, 'body_ball', state, set_pose=True, set_twist=True, set_mass=True)
    assert not answer.success
    assert answer.status_message.startswith("unknown frame 'some_unknown_frame'; known: ")
    assert answer.status_message.endswith(
        "; mass of body 'body_ball' set; velocity of body 'body_ball' set"
    )
    found = body(client, 'body_ball').state
    assert place_of(found.pose)[:3] == pytest.approx([1, 0, 0.06])
    assert velocity_of(found.twist)[0] == 1.0
    assert found.mass == 0.5
    fixed = set_body(client, 'base', BodyState(mass=2.0), set_pose=True, set_mass=True)
    assert not fixed.success
    assert body(client, 'base').state.mass == 2.0


def test_a_pose_may_be_in_any_frame_that_the_server_knows(client):
    for frame, place in (
        ('world', (0.5, 0, 0)),
        ('immovable', (2.5, 2, 0.6)),
        ('tip', (1.5 * math.cos(BENT), 0, 1 - 1.5 * math.sin(BENT))),
    ):
        state = BodyState(pose=pose(0.5, 0.0, 0.0, frame=frame))
        assert set_body(client, 'body_ball', state, set_pose=True).success
        assert place_of(body(client, 'body_ball').state.pose)[:3] == pytest.approx(place), frame


def test_frames_have_the_prefix_of_the_server(start):
    _, client = start({**PAUSED, 'frame_prefix': 'sim/'})
    assert body(client, 'body_ball').state.pose.header.frame_id == 'sim/world'
    for frame, known in (('sim/immovable', True), ('sim/world', True), ('immovable', False)):
        state = BodyState(pose=pose(0.0, 0.0, 1.0, frame=frame), twist=twist(frame='sim/world'))
        answer = set_body(client, 'body_ball', state, set_pose=True, set_twist=True)
        assert answer.success is known, answer.status_message


def test_a_twist_may_be_along_the_axes_of_any_frame_that_the_server_knows(client):
    state = BodyState(
        pose=pose(0.0, 0.0, 5.0, quat=(HALF, 0.0, 0.0, HALF)),
        twist=twist((1.0, 0.0, 0.0), (0.0, 2.0, 3.0), frame='body_ball'),
    )
    assert set_body(client, 'body_ball', state, set_pose=True, set_twist=True).success
    found = velocity_of(body(client, 'body_ball').state.twist)
    assert found == pytest.approx([0, 1, 0, -2, 0, 3])
    state.twist.header.frame_id = 'world'
    assert set_body(client, 'ball', state, set_twist=True).success
    assert velocity_of(body(client, 'ball').state.twist) == pytest.approx([1, 0, 0, 0, 2, 3])
    answer = set_body(client, 'ball', BodyState(twist=twist(frame='shelf')), set_twist=True)
    assert not answer.success
    assert answer.status_message.startswith("unknown frame 'shelf'; known: base, body_ball")


def test_an_angular_velocity_is_about_the_axes_of_the_world_however_the_body_is_turned(client):
    not_normalised = (3.0, 0.0, 0.0, 3.0)
    state = BodyState(
        pose=pose(0.0, 0.0, 5.0, quat=not_normalised), twist=twist(angular=(1.0, 0.0, 0.0))
    )
    assert set_body(client, 'ball', state, set_pose=True, set_twist=True).success
    turn = place_of(body(client, 'ball').state.pose)[3:]
    assert turn == pytest.approx([HALF, 0, 0, HALF])
    for _ in range(3):
        assert client.trigger('step').success
        assert velocity_of(body(client, 'ball').state.twist)[3:] == pytest.approx([1, 0, 0])


def test_numbers_that_are_none_are_refused(client):
    before = body(client, 'body_ball').state
    for flag, state, reason in (
        ('set_pose', BodyState(pose=pose(math.nan, 0.0, 0.0)), 'position must be finite'),
        ('set_pose', BodyState(pose=pose(0.0, 0.0, 0.0, quat=(0.0,) * 4)), 'must be a rotation'),
        ('set_pose', BodyState(pose=pose(0.0, 0.0, 0.0, quat=(math.nan,) * 4)), 'must be finite'),
        ('set_twist', BodyState(twist=twist((math.inf, 0.0, 0.0))), 'must be finite'),
        ('set_mass', BodyState(mass=math.nan), 'must be above 0 and finite, got nan'),
        ('set_mass', BodyState(mass=-1.0), 'must be above 0 and finite, got -1'),
    ):
        answer = set_body(client, 'body_ball', state, **{flag: True})
        assert not answer.success, (flag, state)
        assert reason in answer.status_message
        assert body(client, 'body_ball').state == before


def test_a_body_is_put_back_by_both_services_and_keeps_no_velocity(client):
    away = BodyState(pose=pose(3.0, 3.0, 3.0), twist=twist((1.0, 1.0, 1.0)))

    def back(name):
        request = ResetBodyQPos.Request(name=name)
        return client.call(ResetBodyQPos, 'reset_body_qpos', request)

    for put_back in (
        lambda: set_body(client, 'body_ball', away, reset_qpos=True, set_pose=True),
        lambda: back('ball'),
    ):
        assert set_body(client, 'body_ball', away, set_pose=True, set_twist=True).success
        answer = put_back()
        assert (answer.success, answer.status_message) == (True, "body 'body_ball' put back")
        found = body(client, 'body_ball').state
        assert place_of(found.pose) == pytest.approx([1, 0, 0.06, 1, 0, 0, 0])
        assert velocity_of(found.twist) == [0] * 6
    set_body(client, 'body_ball', away, reset_qpos=True, set_twist=True)
    assert velocity_of(body(client, 'body_ball').state.twist)[:3] == [1, 1, 1]
    assert not back('base').success
    assert not back('nothing').success


def test_a_body_is_moved_between_two_steps_of_a_simulation_that_runs(client):
    assert client.pause(False).success
    for height in (3.0, 30.0, 300.0):
        state = BodyState(pose=pose(0.0, 0.0, height))
        assert set_body(client, 'body_ball', state, set_pose=True, reset_qpos=False).success
        found = body(client, 'body_ball').state
        assert height - 2.0 < place_of(found.pose)[2] <= height
        assert found.pose.header.stamp.sec + found.pose.header.stamp.nanosec > 0
