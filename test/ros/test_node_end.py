"""The process ends even if the middleware hangs while a node is destroyed."""

from __future__ import annotations

import subprocess
import sys

from deadline import DEADLINE_S

CODE = """
import ctypes, threading
from mujoco_ros_py.ros import node_end

class Hanging:
    def destroy_node(self):
        ctypes.PyDLL(None).sleep(100_000)  # with the GIL, as the C++ code of rclpy

class Other:
    def destroy_node(self):
        print('destroyed', flush=True)

node_end._LONGEST_S = 1.0
node_end.end_node(Other())
threading.Event().wait(1.5)
node_end.end_node(Hanging())
"""


def test_a_node_that_cannot_be_destroyed_ends_the_process_with_the_place():
    done = subprocess.run(
        [sys.executable, '-c', CODE], capture_output=True, text=True, timeout=DEADLINE_S
    )
    assert done.returncode == 1
    assert done.stdout == 'destroyed\n'
    assert 'in destroy_node' in done.stderr
