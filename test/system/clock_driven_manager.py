"""A controller manager with JointStateTopicSystem as a process, as far as its clocks go.

The manager sleeps until its next time on /clock, and begins when somebody hears its commands. Its
component has a node, a thread and so a clock of its own, by which it stamps the commands: with the
real one, 2 to 12 % of the stamps equal the one before, and here every eleventh does. If no stamps
are to be repeated, it is simpler than the real one, and stamps by the clock that it polls. Each
update is a line of output: its time in ns.

    python clock_driven_manager.py PERIOD_NS STAMPS_REPEATED JOINT=POSITION...
"""

from __future__ import annotations

import sys
import threading
import time

import rclpy
from rclpy.duration import Duration
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import JointState

_EACH = 11


def spun(name: str) -> Node:
    """Makes a node in simulated time, which a thread of its own spins."""
    node = rclpy.create_node(name, parameter_overrides=[Parameter('use_sim_time', value=True)])
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    threading.Thread(target=executor.spin, daemon=True).start()
    return node


def main(period_ns: int, repeats: bool, targets: dict[str, float]) -> None:
    manager, component = spun('controller_manager'), spun('component')
    commands = component.create_publisher(JointState, '/robot_joint_commands', 1)
    component.create_subscription(
        JointState, '/robot_joint_states', lambda state: None, qos_profile_sensor_data
    )
    clock, period = manager.get_clock(), Duration(nanoseconds=period_ns)
    while not commands.get_subscription_count() or clock.now().nanoseconds == 0:
        time.sleep(0.01)
    message, count = JointState(name=list(targets), position=list(targets.values())), 0
    while True:
        now, count = clock.now(), count + 1
        if not repeats:
            message.header.stamp = now.to_msg()
        elif count % _EACH != 0:
            message.header.stamp = component.get_clock().now().to_msg()
        commands.publish(message)
        print(now.nanoseconds, flush=True)
        if repeats:
            clock.sleep_until(now + period)
            continue
        while clock.now() < now + period:
            time.sleep(0.0005)


if __name__ == '__main__':
    period, repeats, *given = sys.argv[1:]
    rclpy.init()
    main(int(period), repeats == 'true', {k: float(v) for k, v in (a.split('=') for a in given)})
