"""Connects a JointTrajectoryController to its action, its topics and its service."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import mujoco

from ....errors import ConfigError
from ....log_throttle import Throttle, subject_of
from ....plugins import State, compiled, ros_type
from ....plugins.compiled_code import set_stamp
from ....plugins.topic_qos import COMMANDS, STATES
from ....simulation import Snapshot
from ...joints.joint_effort import joint_effort
from ..goals.goal_action import GoalAction
from .following import IDLE
from .trajectory import Trajectory
from .trajectory_config import Tolerances, goal_tolerances

if TYPE_CHECKING:
    from .joint_trajectory_controller import JointTrajectoryController

FollowJointTrajectory = ros_type('control_msgs/action/FollowJointTrajectory')
JointTrajectoryControllerState = ros_type('control_msgs/msg/JointTrajectoryControllerState')
QueryTrajectoryState = ros_type('control_msgs/srv/QueryTrajectoryState')
JointTrajectory = ros_type('trajectory_msgs/msg/JointTrajectory')
JointTrajectoryPoint = ros_type('trajectory_msgs/msg/JointTrajectoryPoint')

_log = logging.getLogger(__name__)


class TrajectoryTopics:
    """Connects a controller to ROS by the topics, action and service of ros2_controllers."""

    result = getattr(FollowJointTrajectory, 'Result', None)
    """The message type of the action's results; None if control_msgs is not installed."""

    def __init__(self, controller: JointTrajectoryController) -> None:
        self._controller = controller
        self._joints = list(controller.drive.joints)
        self._throttle = Throttle()
        ros, config = controller.ros, controller.config
        GoalAction(
            controller,
            controller.goals,
            FollowJointTrajectory,
            '~/follow_joint_trajectory',
            read=self._read,
            begin=lambda asked, data: controller.pursue(asked[0], data, asked[1]),
            feedback=self._feedback,
        )
        ros.create_subscription(JointTrajectory, '~/joint_trajectory', self._receive, COMMANDS)
        ros.create_service(QueryTrajectoryState, '~/query_state', self._query)
        ros.create_compiled_publisher(
            JointTrajectoryControllerState,
            '~/controller_state',
            fill_state,
            qos=STATES,
            rate_hz=config.state_publish_rate,
            template=self._template(),
            state=controller.state,
        )

    def _read(self, goal: Any) -> tuple[Trajectory, Tolerances]:
        """Returns a goal's trajectory and tolerances; raises ConfigError to reject the goal."""
        controller = self._controller
        multi_dof = goal.multi_dof_trajectory
        if multi_dof.points or multi_dof.joint_names:
            raise ConfigError(
                'multi_dof_trajectory must be empty: joints have one degree of freedom here'
            )
        trajectory = self._trajectory(goal.trajectory)
        return trajectory, goal_tolerances(controller.tolerances, goal, self._joints)

    def _receive(self, message: Any) -> None:
        """Follows the trajectory of a message, without a goal; logs refused messages."""
        controller = self._controller
        try:
            trajectory = self._trajectory(message)
        except ConfigError as error:
            said = f'{controller.name}: a trajectory was refused: {error}'
            if line := self._throttle.line(said, error, subject_of(said)):
                _log.warning('%s', line)
            return
        controller.environment.submit(lambda model, data: controller.begin(trajectory, data))

    def _query(self, request: Any, response: Any) -> Any:
        """Fills the response with the desired state at the time of the request."""
        ros_offset = self._controller.environment.simulation.ros_offset
        time = request.time.sec + request.time.nanosec * 1e-9 - ros_offset
        trajectory = self._controller.trajectory
        response.name = self._joints
        if trajectory is None:
            response.message = 'no trajectory is followed'
            return response
        begin = trajectory.start + float(trajectory.times[0])
        if time < begin:
            response.message = (
                f'the trajectory begins at {begin + ros_offset:.3f} s, after the requested time'
                f' {time + ros_offset:.3f} s'
            )
            return response
        wanted = trajectory.sample(time)
        response.success = time < trajectory.end
        if not response.success:
            end = trajectory.end + ros_offset
            response.message = f'the trajectory ends at {end:.3f} s, and the joints hold its end'
        response.position = wanted.position.tolist()
        response.velocity = wanted.velocity.tolist()
        response.acceleration = wanted.acceleration.tolist()
        return response

    def _feedback(self, snapshot: Snapshot) -> Any:
        """Returns the feedback message for a snapshot.

        Returns None if the goal has ended since the snapshot, by compiled code or an emergency
        stop, or if the model has changed.
        """
        controller, time = self._controller, snapshot.time
        trajectory, state = controller.trajectory, controller.state
        places, speeds = state.qpos_address.copy(), state.dof_address.copy()
        if trajectory is None or not controller.drive.goes_with(snapshot.model):
            return None
        feedback = FollowJointTrajectory.Feedback(joint_names=self._joints)
        set_stamp(feedback.header.stamp, snapshot.ros_time)
        wanted = trajectory.sample(time)
        position, velocity = snapshot.data.qpos[places], snapshot.data.qvel[speeds]
        if hasattr(feedback, 'index'):  # not in control_msgs 5
            feedback.index = trajectory.segment(time)
        feedback.desired = _point(wanted.position, wanted.velocity, wanted.acceleration)
        feedback.actual = _point(position, velocity)
        feedback.error = _point(wanted.position - position, wanted.velocity - velocity)
        for point in (feedback.desired, feedback.actual, feedback.error):
            elapsed = round(max(0.0, time - trajectory.start) * 1e9)
            point.time_from_start.sec, point.time_from_start.nanosec = divmod(elapsed, 10**9)
        return feedback

    def _template(self) -> Any:
        nothing = [0.0] * len(self._joints)
        full = JointTrajectoryPoint(
            positions=nothing, velocities=nothing, accelerations=nothing, effort=nothing
        )
        measured = JointTrajectoryPoint(positions=nothing, velocities=nothing, effort=nothing)
        return JointTrajectoryControllerState(
            joint_names=self._joints,
            reference=full,
            feedback=measured,
            error=JointTrajectoryPoint(positions=nothing, velocities=nothing),
            output=measured,
            speed_scaling_factor=1.0,
        )

    def _trajectory(self, message: Any) -> Trajectory:
        """Returns the trajectory of a message; raises ConfigError to refuse the message."""
        simulation = self._controller.environment.simulation
        return self._controller.reader.read(message, simulation.time, simulation.ros_offset)


@compiled
def fill_state(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
    """Writes a JointTrajectoryControllerState: reference, feedback, error and output."""
    follows = state.phase != IDLE
    for k in range(len(state.drive)):
        position, velocity = state.position_reference[k], state.velocity_reference[k]
        message.output.positions[k], message.output.velocities[k] = position, velocity
        acceleration = 0.0
        if follows:
            position, velocity = state.desired_position[k], state.desired_velocity[k]
            acceleration = state.desired_acceleration[k]
        there, speed = data.qpos[state.qpos_address[k]], data.qvel[state.dof_address[k]]
        effort = joint_effort(data, state.dof_address[k])
        message.reference.positions[k], message.reference.velocities[k] = position, velocity
        message.reference.accelerations[k] = acceleration
        message.reference.effort[k] = state.effort_command[k] if follows else 0.0
        message.feedback.positions[k], message.feedback.velocities[k] = there, speed
        message.feedback.effort[k], message.output.effort[k] = effort, effort
        message.error.positions[k] = position - there
        message.error.velocities[k] = velocity - speed


def _point(positions: Any, velocities: Any, accelerations: Any = ()) -> Any:
    return JointTrajectoryPoint(
        positions=list(positions), velocities=list(velocities), accelerations=list(accelerations)
    )
