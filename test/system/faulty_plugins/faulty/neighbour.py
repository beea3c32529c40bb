"""A process that runs until it is killed: `call <service>`, `listen` or `watch <topic>`."""

from __future__ import annotations

import sys

import rclpy
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Image, JointState
from std_srvs.srv import Trigger

from .lines import say


def main(role: str, name: str = '') -> None:
    rclpy.init()
    node = rclpy.create_node('neighbour')
    if role == 'call':
        client = node.create_client(Trigger, name)
        client.wait_for_service()
        client.call_async(Trigger.Request())
        say('called')
    elif role == 'watch':
        node.create_subscription(Image, name, lambda message: say('saw'), qos_profile_sensor_data)
    else:
        node.create_subscription(JointState, '/joint_states', lambda message: say('heard'), 1000)
    rclpy.spin(node)


if __name__ == '__main__':
    main(*sys.argv[1:])
