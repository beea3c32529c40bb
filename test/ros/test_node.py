"""The node under an executor, while other threads change its entities."""

from __future__ import annotations

import subprocess
import sys

import pytest
from deadline import DEADLINE_S

CODE = """
import random, sys, threading, time
from queue import SimpleQueue
sys.setswitchinterval(1e-4)
import rclpy
from std_msgs.msg import String
from mujoco_ros_py.ros.node_process import Spinner, make_node

keeper = make_node(['node'], 'node')
node, spinner = keeper.node, Spinner(keeper, SimpleQueue())
spinner.start()

def come_and_go(number):
    for turn in range(50):
        publisher = node.create_publisher(String, f'topic_{number}', 1)
        time.sleep(random.random() * 0.003)
        assert node.destroy_publisher(publisher)

threads = [threading.Thread(target=come_and_go, args=(number,)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
deadline = time.monotonic() + float(sys.argv[1])
while any(node.count_publishers(f'topic_{n}') for n in range(4)) and time.monotonic() < deadline:
    time.sleep(0.01)
print([publisher.topic_name for publisher in node.publishers])
print([node.count_publishers(f'topic_{number}') for number in range(4)])
spinner.close()
node.destroy_node()
del spinner
rclpy.try_shutdown()
"""


@pytest.mark.slow
def test_publishers_that_come_and_go_on_other_threads_leave_no_trace(domain):
    done = subprocess.run(
        [sys.executable, '-c', CODE, str(DEADLINE_S / 2)],
        capture_output=True, text=True, timeout=DEADLINE_S, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, '')
    assert done.stdout.splitlines() == ["['/parameter_events']", '[0, 0, 0, 0]']
