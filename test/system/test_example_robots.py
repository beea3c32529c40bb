"""The example robots, each with its own program, which knows rclpy only; judged by the truth."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from deadline import DEADLINE_S
from nav_msgs.msg import Odometry

pytest.importorskip('tf2_msgs', reason='tf2_msgs is not there')
from tf2_msgs.msg import TFMessage

from .harness import Client, Process, wait_until

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.fixture
def robot(domain):
    """`robot(configuration)`: a client of a server with a file of the folder config."""
    opened: list[Any] = []

    def start(configuration: str) -> Client:
        file = str(ROOT / 'config' / configuration)
        args = ['--ros-args', '--params-file', file, '-p', 'realtime:=2.0']
        process = Process('mujoco_ros_py', args, domain)
        opened.append(process)
        process.wait_for_output(': loaded ')
        assert '3 of 3 plugins ready' in process.output
        client = Client(domain)
        opened.append(client)
        return client

    yield start
    for each in reversed(opened):
        if isinstance(each, Client):
            each.close()
        else:
            each.end()


def run(program: str, client: Client, *arguments: str) -> None:
    """Runs a program until its task is done."""
    domain = str(client.node.context.get_domain_id())
    script = str(ROOT / 'scripts' / program)
    environment = {**os.environ, 'ROS_DOMAIN_ID': domain}
    done = subprocess.run(
        [sys.executable, script, *arguments], env=environment, timeout=DEADLINE_S,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_the_picker_puts_the_cube_in_its_place(robot):
    client = robot('picker.yaml')
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


def test_the_rover_drives_a_square_and_is_back_where_it_began(robot):
    client = robot('rover_base.yaml')
    truth = client.collect(Odometry, 'ground_truth')
    run('drive_square', client)
    path = [each.pose.pose.position for each in truth]
    corners = (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)
    for x, y in corners:  # one after the other
        distances = [math.hypot(each.x - x, each.y - y) for each in path]
        nearest = int(np.argmin(distances))
        assert distances[nearest] < 0.12, (x, y)
        path = path[nearest:]
    assert distances[-1] < 0.12, 'it has stopped there'
