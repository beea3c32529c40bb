"""Talks to the trajectory server by topic, service and action, and prints the results as JSON."""

import json

import rclpy
from answers import DEADLINE_S, answered, result
from builtin_interfaces.msg import Duration, Time
from control_msgs.action import FollowJointTrajectory
from control_msgs.msg import (
    JointComponentTolerance,
    JointTolerance,
    JointTrajectoryControllerState,
)
from control_msgs.srv import QueryTrajectoryState
from geometry_msgs.msg import Transform, Vector3
from rclpy.action import ActionClient
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.task import Future
from trajectory_msgs.msg import JointTrajectoryPoint, MultiDOFJointTrajectoryPoint

KEPT = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
POINT = JointTrajectoryPoint(
    positions=[1.0, -2.0], velocities=[0.0, 0.5], time_from_start=Duration(sec=2, nanosec=5)
)
POSE = MultiDOFJointTrajectoryPoint(transforms=[Transform(translation=Vector3(z=3.0))])


def goal():
    made = FollowJointTrajectory.Goal(
        path_tolerance=[JointTolerance(name='joint2', position=0.05)],
        component_goal_tolerance=[
            JointComponentTolerance(component=JointComponentTolerance.ROTATION)
        ],
    )
    made.trajectory.header.frame_id = 'base'
    made.trajectory.joint_names = ['joint1', 'joint2']
    made.trajectory.points = [JointTrajectoryPoint(), POINT]
    made.multi_dof_trajectory.joint_names = ['base']
    made.multi_dof_trajectory.points = [POSE]
    return made


def hashes(topic):
    return {str(end.topic_type_hash) for end in node.get_publishers_info_by_topic(topic)}


rclpy.init()
node = rclpy.create_node('client')
found, state = {}, Future()
node.create_subscription(
    JointTrajectoryControllerState, '/arm_controller/controller_state', state.set_result, KEPT
)

query = node.create_client(QueryTrajectoryState, '/arm_controller/query_state')
assert query.wait_for_service(DEADLINE_S)
request = QueryTrajectoryState.Request(time=Time(sec=3, nanosec=7))
answer = answered(node, lambda: query.call_async(request))
found['query'] = [answer.success, answer.message, list(answer.name)]
found['query'] += [*answer.position, *answer.velocity, *answer.acceleration]

action = ActionClient(node, FollowJointTrajectory, '/arm_controller/follow_joint_trajectory')
assert action.wait_for_server(DEADLINE_S)
came = []
while not came:  # feedback is lost until both ends are connected
    handle = answered(
        node, lambda: action.send_goal_async(goal(), lambda told: came.append(told.feedback))
    )
    ended = answered(node, handle.get_result_async)
found['result'] = [ended.status, ended.result.error_code, ended.result.error_string]
feedback = came[0]
found['feedback'] = [feedback.desired == POINT, feedback.multi_dof_error == POSE]
found['feedback'] += [feedback.index, feedback.multi_dof_index, list(feedback.joint_names)]

told = result(node, state)
found['state'] = [told.output == POINT, told.multi_dof_reference == POSE]
found['state'] += [told.header.frame_id, told.speed_scaling_factor]
(found['hash of the state'],) = hashes('/arm_controller/controller_state')
print(json.dumps(found))
