"""The rover drives along the walls of its hall by messages alone, judged by the truth."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import numpy as np
import pytest
from nav_msgs.msg import Odometry
from rover_hall import RADIUS, Hall
from sensor_msgs.msg import Imu, LaserScan, PointCloud2
from std_srvs.srv import Trigger

pytest.importorskip('tf2_msgs', reason='tf2_msgs is not there')

from .example_robots import robots, run
from .harness import Client, seconds, wait_until
from .plugin_site import PluginSite

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('graphics')]

DISTANCE = 0.5
LOCKSTEP = (
    'MujocoPlugins.names:=[base, truth, scan, referee]', 'render_offscreen:=false',
    'realtime:=-1.0', 'lockstep_period:=0.05', 'lockstep_topics:=[/cmd_vel]',
    'lockstep_timeout:=0.0',
)  # fmt: skip
REFEREE = '''
from std_srvs.srv import Trigger

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state


class Referee(MujocoPlugin):
    """Counts the steps in which something touches anything but the floor."""

    def load(self, model, data):
        self.state = new_state(floor=model.geom('floor').id, steps=0, touches=0)
        self.ros.create_service(Trigger, '~/count', self.count)

    def count(self, request, response):
        response.success = bool(self.state.steps)
        response.message = str(self.state.touches)
        return response

    @staticmethod
    @compiled
    def last_stage_callback(state, model, data):
        state.steps += 1
        for number in range(data.ncon):
            geoms = data.contact[number].geom
            if geoms[0] != state.floor and geoms[1] != state.floor:
                state.touches += 1
                break
'''
REFEREE_TYPE = 'MujocoPlugins.referee.type:=referee/Referee'
SENSORS = 'MujocoPlugins.names:=[base, truth, scan, imu, points, referee]'


@pytest.fixture
def robot(domain, tmp_path):
    """`robot(*parameters)`: a server with the hall, and with a plugin that counts touches."""
    site = PluginSite(tmp_path)
    site.add_module('referee', REFEREE)
    with robots(domain) as start:
        yield lambda *given: start('rover_hall.yaml', REFEREE_TYPE, *given, **site.environment)


@pytest.fixture(scope='module')
def hall() -> Hall:
    return Hall()


def touches(client: Client) -> int:
    """Returns in how many steps the robot has touched what stands on the floor."""
    told = client.call(Trigger, '/referee/count', Trigger.Request())
    assert told.success
    return int(told.message)


def way_of(truth: list[Odometry]) -> tuple[np.ndarray, np.ndarray]:
    """Returns x and y of each pose, and how far the robot has gone until each but the first."""
    poses = [each.pose.pose.position for each in truth]
    places = np.array([(pose.x, pose.y) for pose in poses])
    return places, np.hypot(*np.diff(places, axis=0).T).cumsum()


def judge(
    hall: Hall, truth: list[Odometry], length: float, *, near: float = 0.12, beside: float = 0.05
) -> None:
    """Judges the way, and the distances from the walls: everywhere, and outside of corners.

    The last poses may come after the end of the program that drives.
    """

    def stands_at_the_end() -> bool:
        told = list(truth)
        stands = abs(told[-1].twist.twist.linear.x) < 0.02
        return stands and way_of(told)[1][-1:].sum() > length - 0.3

    wait_until(stands_at_the_end, f'the end of a way of {length} m')
    places, way = way_of(list(truth))
    assert way[-1] == pytest.approx(length, rel=0.01, abs=0.3)
    away = np.array([hall.distance(*place) for place in places])
    assert away.min() > RADIUS
    begun = np.searchsorted(way, 1.0)
    assert away[begun:] == pytest.approx(DISTANCE, abs=near)
    straight = [hall.beside_a_wall(*place) for place in places]
    assert sum(straight) > 100
    assert away[straight] == pytest.approx(DISTANCE, abs=beside)


def first_pose(truth: list[Odometry]) -> Any:
    return truth and not seconds(truth[0].header.stamp)


@pytest.mark.parametrize(
    ('length', 'quarters'), [(8.0, 1), pytest.param(28.0, 4, marks=pytest.mark.nightly)]
)
def test_the_rover_goes_around_in_lockstep_the_same_way_to_the_bit(robot, hall, length, quarters):
    client = robot(*LOCKSTEP)
    truth = client.collect(Odometry, 'ground_truth')
    ways = []
    for _ in range(2):
        truth.clear()
        assert client.trigger('reset').success
        assert client.pause(False).success, 'its state is repeated until a command comes'
        wait_until(lambda: first_pose(truth), 'the first pose')
        run('follow_wall', client, '--ros-args', '-p', f'length:={length}')
        judge(hall, truth, length)
        ways.append({seconds(each.header.stamp): each.pose.pose for each in truth})
        seen = {(each.position.x > 1, each.position.y > 0) for each in ways[-1].values()}
        assert len(seen) >= quarters
    both = ways[0].keys() & ways[1].keys()
    until = max(both) - 2.0  # when it has gone far enough, the way may be told a scan later
    assert until > length
    assert [t for t in both if t < until and ways[0][t] != ways[1][t]] == []
    assert touches(client) == 0


@pytest.mark.nightly
def test_the_rover_follows_the_wall_in_real_time(robot, hall):
    client = robot(SENSORS, 'realtime:=1.0')
    truth = client.collect(Odometry, 'ground_truth')
    wait_until(lambda: truth, 'a pose')
    run('follow_wall', client, '--ros-args', '-p', 'length:=8.0')
    judge(hall, truth, 8.0, near=0.25, beside=0.15)  # a busy machine answers scans late
    assert touches(client) == 0


@pytest.mark.nightly
def test_the_rover_follows_the_wall_on_its_left(robot, hall):
    client = robot(*LOCKSTEP)
    truth = client.collect(Odometry, 'ground_truth')
    wait_until(lambda: first_pose(truth), 'the first pose')
    run('follow_wall', client, '--ros-args', '-p', 'length:=8.0', '-p', 'side:=left')
    judge(hall, truth, 8.0)
    assert max(each.pose.pose.position.y for each in truth) > 1.0, 'it has gone north'
    assert touches(client) == 0


def test_without_a_wall_the_program_gives_up_and_the_rover_stands(robot):
    client = robot(*LOCKSTEP, 'modelfile:=package://mujoco_ros_py/examples/rover.xml')
    truth = client.collect(Odometry, 'ground_truth')
    wait_until(lambda: first_pose(truth), 'the first pose')
    said = run('follow_wall', client, code=1)
    assert 'follow_wall: no wall within 2 m on the side to follow' in said
    places = [each.pose.pose.position for each in truth]
    assert abs(places[-1].x - places[0].x) < 0.01


def test_a_task_that_is_none_is_refused(domain):
    with closing(Client(domain)) as client:
        said = run('follow_wall', client, '--ros-args', '-p', 'side:=behind', code=1)
    assert 'follow_wall: side must be' in said


def test_its_sensors_tell_what_they_sense_and_a_wall_that_is_touched_is_counted(robot):
    inside = 'initial_joint_positions.joint_map.base:=[-2.2, -2.45, 0.1, 1.0, 0.0, 0.0, 0.0]'
    client = robot(SENSORS, inside)
    heard = {
        kind: client.collect(kind, topic)
        for kind, topic in ((LaserScan, 'scan'), (Imu, 'imu'), (PointCloud2, 'points'))
    }
    wait_until(lambda: all(heard.values()), 'a message of each sensor')
    frames = {kind: messages[0].header.frame_id for kind, messages in heard.items()}
    assert frames == {LaserScan: 'laser', Imu: 'imu', PointCloud2: 'front_optical_frame'}
    assert len(heard[LaserScan][0].ranges) == 721
    assert np.isfinite(heard[LaserScan][0].ranges).sum() > 600
    wait_until(lambda: touches(client) > 10, 'touches')
