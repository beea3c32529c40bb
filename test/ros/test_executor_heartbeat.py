"""The thread of the ROS callbacks, as seen by the watchdog."""

from __future__ import annotations

import threading

from deadline import DEADLINE_S
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node

from mujoco_ros_py.ros.node_process import ExecutorHeartbeat


def test_it_beats_as_long_as_the_thread_spins_and_says_that_the_thread_has_ended(context):
    node = Node('beating', context=context)
    heartbeat = ExecutorHeartbeat(node)
    assert heartbeat.beats is None
    assert heartbeat.doing() == ''
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)

    def spin_until(beats: int) -> None:
        while (heartbeat.beats or 0) < beats:
            executor.spin_once()

    spin_until(1)
    assert heartbeat.doing() == ''
    thread = threading.Thread(target=spin_until, args=(heartbeat.beats + 1,))
    thread.start()
    thread.join(DEADLINE_S)
    assert heartbeat.beats == 2
    assert heartbeat.doing() == 'its thread has ended'
    executor.shutdown()
    node.destroy_node()
