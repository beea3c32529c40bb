"""A node that returns everything it receives by topic, service and action."""

import rclpy
from probe_msgs.action import Probe as Action
from probe_msgs.msg import Probe
from probe_msgs.srv import Probe as Service
from rclpy.action import ActionServer
from rclpy.qos import DurabilityPolicy, QoSProfile
from tf2_msgs.msg import TFMessage

KEPT = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


def respond(request, response):
    response.probe = request.probe
    return response


def execute(goal):
    goal.publish_feedback(Action.Feedback(step=goal.request.steps))
    goal.succeed()
    return Action.Result(probes=[Probe()] * goal.request.steps)


rclpy.init()
node = rclpy.create_node('echo')
answers = node.create_publisher(Probe, 'answer', KEPT)
node.create_subscription(Probe, 'question', answers.publish, KEPT)
frames = node.create_publisher(TFMessage, '/tf', KEPT)
node.create_subscription(Probe, 'question', lambda probe: frames.publish(probe.frames), KEPT)
node.create_service(Service, 'service', respond)
action = ActionServer(node, Action, 'action', execute)
rclpy.spin(node)
