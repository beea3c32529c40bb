from dataclasses import dataclass

import mujoco
import numba
import numpy as np
from std_msgs.msg import Float64MultiArray

from mujoco_ros_py.plugins import MujocoPlugin, Reconfigurable, compiled, new_state, ranged


@dataclass(frozen=True, kw_only=True)
class Config:
    """The configuration of the spring."""

    body: str
    """Body to pull."""
    stiffness: float = ranged(10.0, minimum=0.0, unit='N/m', live=True)
    """Force per distance from the target."""
    damping: float = ranged(1.0, minimum=0.0, unit='N s/m', live=True)
    """Damping force per velocity."""
    limit: float = ranged(50.0, above=0.0, unit='N', live=True)
    """Maximum force along each axis."""


class Spring(MujocoPlugin[Config], Reconfigurable):
    """Pulls a body towards a target point in the world that a topic can move."""

    def load(self, model, data):
        body = model.body(self.config.body).id
        self.state = new_state(
            body=body,
            stiffness=self.config.stiffness,
            damping=self.config.damping,
            limit=self.config.limit,
            target=data.xipos[body],
            velocity=np.zeros(6),
        )
        self.ros.create_subscription(Float64MultiArray, '~/target', self.take, 1)

    def configure(self, config):
        self.state.stiffness, self.state.damping = config.stiffness, config.damping
        self.state.limit = config.limit

    def reset(self, model, data):
        self.state.target[:] = data.xipos[self.state.body]

    def take(self, message):
        """Receives a new target; called on the plugin's own thread."""
        if len(message.data) == 3:
            self.environment.submit(lambda model, data: self.move(message.data))

    def move(self, target):
        """Moves the target; called on the physics thread, between two steps."""
        self.state.target[:] = target

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        kind = mujoco.mjtObj.mjOBJ_BODY
        mujoco.mj_objectVelocity(model, data, kind, state.body, state.velocity, 0)
        for axis in range(3):
            force = state.stiffness * (state.target[axis] - data.xipos[state.body, axis])
            force -= state.damping * state.velocity[3 + axis]
            data.xfrc_applied[state.body, axis] = limited(force, state.limit)


@numba.njit
def limited(value, limit):
    return max(-limit, min(limit, value))
