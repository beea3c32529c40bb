"""Sends each kind of message that only sensors have, and prints whether it came and its hash."""

import json

import rclpy
from answers import DEADLINE_S
from geometry_msgs.msg import Vector3
from mujoco_ros_msgs.msg import ArrayStamped, ScalarStamped
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.task import Future
from ros_gz_interfaces.msg import Altimeter, Contact, Contacts, Entity, JointWrench
from std_msgs.msg import MultiArrayDimension

KEPT = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


def contacts():
    wrench = JointWrench()
    wrench.body_1_name.data, wrench.body_2_name.data = 'finger', 'cube'
    wrench.body_1_id.data, wrench.body_2_id.data = 3, 4
    wrench.body_1_wrench.force.z, wrench.body_2_wrench.torque.x = 9.81, -0.5
    contact = Contact(
        collision1=Entity(id=2**63, name='tip', type=Entity.COLLISION),
        collision2=Entity(id=8, name='side', type=Entity.COLLISION),
        positions=[Vector3(x=1.0), Vector3(x=2.0)],
        normals=[Vector3(z=1.0), Vector3(z=-1.0)],
        depths=[0.001, 0.002],
        wrenches=[wrench, JointWrench()],
    )
    return Contacts(contacts=[contact, Contact()])


def array():
    made = ArrayStamped(data=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    made.layout.dim = [
        MultiArrayDimension(label='row', size=2, stride=6),
        MultiArrayDimension(label='column', size=3, stride=3),
    ]
    return made


rclpy.init()
sensors, listener = rclpy.create_node('sensors'), rclpy.create_node('listener')
altimeter = Altimeter(vertical_position=1.5, vertical_velocity=-0.5, vertical_reference=100.0)
found = {}
for message in (contacts(), altimeter, ScalarStamped(value=0.1), array()):
    message.header.frame_id, message.header.stamp.nanosec = 'world', 7
    kind, topic, came = type(message), type(message).__name__, Future()
    listener.create_subscription(kind, topic, came.set_result, KEPT)
    sensors.create_publisher(kind, topic, KEPT).publish(message)
    rclpy.spin_until_future_complete(listener, came, timeout_sec=DEADLINE_S)
    (end,) = listener.get_publishers_info_by_topic(topic)
    found[end.topic_type] = [came.result() == message, str(end.topic_type_hash)]
print(json.dumps(found))
