from dataclasses import dataclass

import mujoco
import numpy as np
from geometry_msgs.msg import TwistStamped, Vector3Stamped

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state, ranged


@dataclass(frozen=True, kw_only=True)
class Config:
    """The configuration of the velocity plugin."""

    body: str
    """Body to measure and push."""
    rate: float = ranged(100.0, above=0.0, unit='Hz')
    """Publishing rate, in simulated time."""


class Velocity(MujocoPlugin[Config]):
    """Publishes the velocity of a body in its own frame, and applies forces (N) from a topic."""

    def load(self, model, data):
        self.state = state = new_state(body=model.body(self.config.body).id, force=np.zeros(3))
        message = TwistStamped()
        message.header.frame_id = self.environment.frame(self.config.body)
        self.ros.create_compiled_publisher(
            TwistStamped, '~/twist', self.fill, rate_hz=self.config.rate,
            template=message, state=state, derived='poses',
        )  # fmt: skip
        self.ros.create_compiled_subscription(Vector3Stamped, '~/push', self.take, state=state)

    @staticmethod
    @compiled
    def fill(state, model, data, message):
        velocity = np.empty(6)
        kind = mujoco.mjtObj.mjOBJ_XBODY  # the body frame; mjOBJ_BODY is the inertial frame
        mujoco.mj_objectVelocity(model, data, kind, state.body, velocity, 1)
        angular, linear = message.twist.angular, message.twist.linear
        angular.x, angular.y, angular.z = velocity[0], velocity[1], velocity[2]
        linear.x, linear.y, linear.z = velocity[3], velocity[4], velocity[5]

    @staticmethod
    @compiled
    def take(state, model, data, message):
        force = message.vector
        state.force[0], state.force[1], state.force[2] = force.x, force.y, force.z

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.xfrc_applied[state.body, :3] = state.force
