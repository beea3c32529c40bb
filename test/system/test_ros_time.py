"""With `time_after_reset: continue` no node sees a time that goes back, whatever is reset."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

pytest.importorskip('control_msgs', reason='control_msgs is not there')
pytest.importorskip('mujoco_ros_py_interfaces.srv', reason='the interfaces were not built')
from builtin.controllers.trajectories.trajectory_messages import trajectory
from mujoco_ros_py_interfaces.srv import GetState, RestoreState, SaveState
from rclpy.clock import JumpThreshold
from rclpy.duration import Duration
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import CameraInfo, JointState
from tf2_msgs.msg import TFMessage

from mujoco_ros_py.recording import RecordedRun

from .harness import seconds, wait_until
from .trajectory_robot import ARM, REST, ROBOT, SUCCEEDED, THERE, Robot, stamped

pytestmark = pytest.mark.slow

MODEL = ROBOT.replace('<body>', '<camera name="eye" pos="0 -2 1"/><body name="robot">', 1)
SERVER = {
    'mujoco_xml': MODEL,
    'MujocoPlugins': json.dumps([ARM, {'type': 'mujoco_ros_py/Transforms'}]),
    'joint_states_rate': 100.0,
    'time_after_reset': 'continue',
    'unpause': False,
}


@pytest.fixture
def client(share) -> Any:
    """A client of a paused server whose ROS time continues."""
    return share(SERVER)[1]


def model_time(client: Any) -> float:
    return seconds(client.call(GetState, 'get_state', GetState.Request()).state.stamp)


def save(client: Any) -> None:
    request = SaveState.Request(name='begin', replace=True)
    assert client.call(SaveState, 'save_state', request).success


def restore(client: Any) -> None:
    answer = client.call(RestoreState, 'restore_state', RestoreState.Request(name='begin'))
    assert answer.success, answer.message


def falls(times: list[float]) -> list[tuple[float, float]]:
    return [(before, after) for before, after in pairwise(times) if after < before]


def test_no_time_goes_back_over_resets_reloads_and_restored_states(client):
    clocks = client.collect(Clock, '/clock', reliable=False)
    joints = client.collect(JointState, '/joint_states')
    frames = client.collect(TFMessage, '/tf')
    images = client.collect(CameraInfo, '/cameras/eye/camera_info')
    follower, jumps = client.new_node('follower', use_sim_time=True), []
    back = JumpThreshold(
        min_forward=None, min_backward=Duration(nanoseconds=-1), on_clock_change=False
    )
    handle = follower.get_clock().create_jump_callback(back, post_callback=jumps.append)
    save(client)
    begin = model_time(client)
    assert client.pause(False).success
    for way in (
        lambda: client.trigger('reset'),
        lambda: client.trigger('reload'),
        lambda: restore(client),
    ):
        enough = seconds(clocks[-1].clock) + 0.3 if clocks else 0.3
        for seen in (
            lambda: seconds(clocks[-1].clock),
            lambda: stamped(joints[-1]),
            lambda: stamped(images[-1]),
            lambda: stamped(frames[-1].transforms[0]),
            lambda: follower.get_clock().now().nanoseconds * 1e-9,
        ):
            wait_until(lambda seen=seen, enough=enough: clocks and joints and images and frames
                       and seen() > enough, 'a later time')  # fmt: skip
        assert client.pause(True).success
        before = model_time(client)
        way()
        assert begin <= model_time(client) < before
        assert client.pause(False).success
    end = seconds(clocks[-1].clock)
    wait_until(lambda: min(stamped(joints[-1]), stamped(frames[-1].transforms[0])) > end, 'more')
    assert falls([seconds(each.clock) for each in clocks]) == []
    assert falls([stamped(each) for each in joints]) == []
    assert falls([stamped(each) for each in images]) == []
    assert falls([stamped(each.transforms[0]) for each in frames]) == []
    assert jumps == []
    handle.unregister()


def test_services_of_bodies_and_entities_have_stamps_in_ros_time(client):
    pytest.importorskip('simulation_interfaces.srv', reason='simulation_interfaces was not built')
    pytest.importorskip('mujoco_ros_msgs.srv', reason='mujoco_ros_msgs was not built')
    from .original_robot import body
    from .standard_requests import done

    done(client, 'StepSimulation', steps=10)
    assert client.trigger('reset').success
    joints = client.collect(JointState, '/joint_states')
    wait_until(lambda: joints, 'the state of the pause')
    now = joints[-1].header.stamp
    assert model_time(client) == 0.0 < seconds(now)
    assert body(client, 'robot').state.pose.header.stamp == now
    assert done(client, 'GetEntityState', entity='robot').state.header.stamp == now


def test_a_trajectory_begins_at_its_stamp_after_a_reset(share):
    robot = Robot(*share(SERVER))
    assert robot.client.pause(False).success
    robot.until(robot.time + 0.5)
    assert robot.client.trigger('reset').success
    robot.pause(True)
    begin = round(robot.time, 3) + 0.3
    goal = robot.goal(trajectory((0.0, REST, REST), (0.5, THERE, REST), stamp=begin))
    robot.pause(False)
    assert goal.end() == (SUCCEEDED, 0, 'the goal has succeeded')
    robot.until(begin + 0.5)
    stamps = [stamped(each) for each in goal.feedback]
    assert stamps, 'feedback'
    assert stamps[0] > begin - 0.301, 'the pause was then'
    assert stamps == sorted(stamps)
    moved = [stamped(each) for each in robot.states if robot.positions_of(each)[0] > 0.05]
    assert begin < min(moved) < begin + 0.3
    query = robot.query(begin + 0.25)
    assert query.position[0] == pytest.approx(THERE[0] / 2, abs=0.01)


def test_recorded_messages_have_times_that_never_go_back(share, tmp_path):
    pytest.importorskip('mcap', reason='the extra `recording` is not installed')
    path = tmp_path / 'run.mcap'
    recorder = {
        'type': 'mujoco_ros_py/Recorder', 'file': str(path), 'topics': ['/joint_states'],
        'chunk_period': 0.1,
    }  # fmt: skip
    plugins = json.dumps([recorder])
    _, client = share(SERVER, given={'MujocoPlugins': plugins})

    def recorded() -> list[Any]:
        with RecordedRun(path) as run:
            return list(run.messages())

    assert client.pause(False).success
    wait_until(lambda: path.exists() and len(recorded()) > 30, 'messages')
    assert client.trigger('reset').success
    before = len(recorded())
    wait_until(lambda: len(recorded()) > before + 30, 'messages after the reset')
    times = [message.time_ns for message in recorded()]
    assert falls(times) == []
    with RecordedRun(path) as run:
        list(run.events())
        first, second = (section.ros_offset for section in run.sections.values())
    assert 0 <= first < second <= times[-1] / 1e9
