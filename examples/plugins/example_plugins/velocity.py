from dataclasses import dataclass

import mujoco
import numpy as np
from geometry_msgs.msg import TwistStamped

from mujoco_ros_py.messages import StructPublisher, numbers, set_time
from mujoco_ros_py.plugins import MujocoPlugin, ranged


@dataclass(frozen=True, kw_only=True)
class Config:
    """The configuration of the publisher."""

    body: str
    """The body whose velocity is published."""
    rate: float = ranged(100.0, above=0.0, unit='Hz')
    """Messages per second of simulated time."""


class Velocity(MujocoPlugin[Config]):
    """Publishes a body's velocity in the axes of that body."""

    def load(self, model, data):
        self.body = model.body(self.config.body).id
        self.publisher = StructPublisher(self.node, TwistStamped, f'~/{self.name}', 10)
        message = self.publisher.message
        frame = self.environment.frame(self.config.body)
        message.set_text(message['header']['frame_id'], frame)
        self.stamp = message['header']['stamp']
        self.linear = numbers(message['twist']['linear'])
        self.angular = numbers(message['twist']['angular'])
        self.follower = self.environment.follow(self.config.rate, self.publish)

    def unload(self):
        self.follower.close()
        self.publisher.close()

    def publish(self, snapshot):
        """Publishes one snapshot; called beside the physics."""
        snapshot.update()
        velocity = np.empty(6)
        kind = mujoco.mjtObj.mjOBJ_XBODY  # the body's frame; mjOBJ_BODY is that of its inertia
        mujoco.mj_objectVelocity(snapshot.model, snapshot.data, kind, self.body, velocity, 1)
        self.angular[:], self.linear[:] = velocity[:3], velocity[3:]
        set_time(self.stamp, snapshot.time)
        self.publisher.publish()
