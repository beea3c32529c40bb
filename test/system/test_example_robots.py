"""The example robots, each with its own program, which knows rclpy only; judged by the truth."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest
from nav_msgs.msg import Odometry

pytest.importorskip('tf2_msgs', reason='tf2_msgs is not there')
pytest.importorskip('mujoco_ros_msgs', reason='mujoco_ros_msgs is not there')
from tf2_msgs.msg import TFMessage

from .example_robots import robots, run
from .faults import sim_time
from .harness import Client, seconds, wait_until

pytestmark = pytest.mark.slow


def lockstep(period_s: float, topic: str) -> tuple[str, ...]:
    """Returns the parameters with which a robot waits for its program."""
    return (
        'realtime:=-1.0', f'lockstep_period:={period_s}', f'lockstep_topics:=[{topic}]',
        'lockstep_timeout:=0.0', f'qos_overrides.{topic}.subscription.reliability:=reliable',
    )  # fmt: skip


NO_IMAGES = 'render_offscreen:=false'
WALKING = (*lockstep(0.004, '/joint_commands'), NO_IMAGES)


@pytest.fixture
def robot(domain):
    """Starts servers; see `robots`."""
    with robots(domain) as start:
        yield start


def test_the_picker_puts_the_cube_in_its_place(robot):
    client = robot('picker.yaml', 'realtime:=2.0', NO_IMAGES)
    frames = client.collect(TFMessage, '/tf')
    run('pick_and_place', client, '--ros-args', '-p', 'place:=[0.5, 0.15, 0.1]')

    def cube() -> Any:
        frames.clear()
        wait_until(lambda: frames, 'a transform')
        (place,) = (each for each in frames[0].transforms if each.child_frame_id == 'cube')
        return place.transform.translation

    place = cube()
    assert (place.x, place.y) == pytest.approx((0.5, 0.15), abs=0.02)
    assert place.z == pytest.approx(0.12, abs=0.005), 'it lies on the table'


@pytest.mark.nightly
def test_the_rover_drives_a_square_and_is_back_where_it_began(robot):
    client = robot('rover_base.yaml', *lockstep(0.02, '/cmd_vel'), NO_IMAGES)
    truth = client.collect(Odometry, 'ground_truth')
    wait_until(lambda: truth, 'the first pose')
    run('drive_square', client)
    end = sim_time(client)
    wait_until(lambda: seconds(truth[-1].header.stamp) > end - 0.1, 'the truth of the end')
    path = [each.pose.pose.position for each in truth]
    corners = (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)
    for x, y in corners:  # one after the other
        distances = [math.hypot(each.x - x, each.y - y) for each in path]
        nearest = int(np.argmin(distances))
        assert distances[nearest] < 0.12, (x, y)
        path = path[nearest:]
    assert distances[-1] < 0.12, 'it has stopped there'


def walked(truth: list[Odometry], distance: float) -> None:
    """Judges whether the quadruped has walked so far straight ahead, and stands."""
    begin, end = truth[0].pose.pose.position, truth[-1].pose.pose.position
    assert begin.z < 0.2, 'it crouched'
    assert end.z > 0.27, 'it stands'
    assert end.x == pytest.approx(distance, rel=0.1)
    assert max(abs(each.pose.pose.position.y) for each in truth) < 0.05 * distance
    assert abs(truth[-1].twist.twist.linear.x) < 0.05


@pytest.mark.nightly
def test_the_quadruped_walks_in_lockstep_each_time_the_same_way_to_the_bit(robot):
    client = robot('quadruped.yaml', *WALKING)
    truth = client.collect(Odometry, 'ground_truth')
    ways = []
    for _ in range(2):
        truth.clear()
        assert client.trigger('reset').success
        assert client.pause(False).success, 'its state is repeated until a command comes'
        wait_until(lambda: truth and not seconds(truth[0].header.stamp), 'the first pose')
        run('walk', client, '--ros-args', '-p', 'distance:=0.6')
        ways.append({seconds(each.header.stamp): each.pose.pose for each in truth})
        walked(truth, 0.6)
    first, other = ways
    both = first.keys() & other.keys()
    assert max(both) > 2.0
    assert len(both) > 100
    assert [time for time in both if first[time] != other[time]] == []


@pytest.mark.nightly
def test_the_quadruped_walks_in_real_time(robot):
    """The server keeps real time, and waits where a busy machine delays the program."""
    client = robot('quadruped.yaml', *WALKING, 'realtime:=1.0')
    truth = client.collect(Odometry, 'ground_truth')
    assert client.trigger('reset').success
    truth.clear()
    begin = time.monotonic()
    assert client.pause(False).success, 'its state is repeated until a command comes'
    wait_until(lambda: truth and not seconds(truth[0].header.stamp), 'the first pose')
    run('walk', client, '--ros-args', '-p', 'distance:=2.0')
    walked(truth, 2.0)
    assert seconds(truth[-1].header.stamp) < time.monotonic() - begin, 'no faster than real time'


def test_the_quadruped_does_not_begin_a_walk_that_is_too_fast(domain):
    client = Client(domain)
    try:
        said = run('walk', client, '--ros-args', '-p', 'speed:=2.0', code=1)
    finally:
        client.close()
    assert 'walk: speed must be > 0 and at most 0.6 m/s, got 2' in said
