"""Sends a topic, a service call and a goal to the echo node, and prints the results as JSON."""

import json

import rclpy
from answers import DEADLINE_S, answered, result
from geometry_msgs.msg import TransformStamped
from probe_msgs.action import Probe as Action
from probe_msgs.msg import Probe
from probe_msgs.srv import Probe as Service
from rclpy.action import ActionClient
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.task import Future
from tf2_msgs.msg import TFMessage

KEPT = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)

rclpy.init()
node = rclpy.create_node('ask')
question = Probe(wide='π', flags=[True, False], few=[1, 2, 3, 4], triple=[0.1, 0.2, 0.3])
question.frames.transforms.append(TransformStamped(child_frame_id='tool'))
found = {}

answer, frames = Future(), Future()
node.create_subscription(Probe, 'answer', answer.set_result, KEPT)
node.create_subscription(TFMessage, '/tf', frames.set_result, KEPT)
node.create_publisher(Probe, 'question', KEPT).publish(question)
found['topic'] = result(node, answer) == question and result(node, frames) == question.frames

client = node.create_client(Service, 'service')
assert client.wait_for_service(DEADLINE_S)
reply = answered(node, lambda: client.call_async(Service.Request(probe=question)))
found['service'] = reply.probe == question

action = ActionClient(node, Action, 'action')
assert action.wait_for_server(DEADLINE_S)
steps = []
while not steps:  # feedback is lost until both ends are connected
    goal = answered(
        node,
        lambda: action.send_goal_async(
            Action.Goal(steps=3), lambda told: steps.append(told.feedback.step)
        ),
    )
    probes = answered(node, goal.get_result_async).result.probes
found['feedback'] = steps[0]
found['probes'] = [[Probe.SMALL, Probe.WORD, probe.word, list(probe.few)] for probe in probes]

(publisher,) = node.get_publishers_info_by_topic('/tf')
found['hash of TFMessage'] = str(publisher.topic_type_hash)
print(json.dumps(found))
