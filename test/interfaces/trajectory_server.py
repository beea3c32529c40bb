"""A node with a trajectory controller's topics, service and action: it sends what it was sent."""

import rclpy
from control_msgs.action import FollowJointTrajectory
from control_msgs.msg import JointTrajectoryControllerState
from control_msgs.srv import QueryTrajectoryState
from rclpy.action import ActionServer
from rclpy.qos import DurabilityPolicy, QoSProfile

KEPT = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
Result = FollowJointTrajectory.Result


def query(request, response):
    response.success, response.message = True, 'asked'
    response.name = ['joint1']
    response.position = [float(request.time.sec)]
    response.velocity = [float(request.time.nanosec)]
    response.acceleration = [0.5]
    return response


def execute(goal):
    asked, several = goal.request.trajectory, goal.request.multi_dof_trajectory
    feedback = FollowJointTrajectory.Feedback(
        header=asked.header,
        joint_names=asked.joint_names,
        desired=asked.points[-1],
        index=len(asked.points) - 1,
        multi_dof_joint_names=several.joint_names,
        multi_dof_error=several.points[-1],
        multi_dof_index=len(several.points) - 1,
    )
    goal.publish_feedback(feedback)
    state = JointTrajectoryControllerState(
        header=asked.header,
        joint_names=asked.joint_names,
        output=asked.points[-1],
        multi_dof_joint_names=several.joint_names,
        multi_dof_reference=several.points[-1],
        speed_scaling_factor=0.25,
    )
    states.publish(state)
    goal.abort()
    (tolerance,), (component,) = goal.request.path_tolerance, goal.request.component_goal_tolerance
    return Result(
        error_code=Result.PATH_TOLERANCE_VIOLATED,
        error_string=f'{tolerance.name} {tolerance.position} {component.component}',
    )


rclpy.init()
node = rclpy.create_node('arm_controller')
states = node.create_publisher(JointTrajectoryControllerState, '~/controller_state', KEPT)
node.create_service(QueryTrajectoryState, '~/query_state', query)
action = ActionServer(node, FollowJointTrajectory, '~/follow_joint_trajectory', execute)
rclpy.spin(node)
