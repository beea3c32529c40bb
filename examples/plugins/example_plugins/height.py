import mujoco
import numpy as np
from sensor_msgs.msg import Range

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state
from mujoco_ros_py.plugins.compiled_code import HiddenGeoms, model_at


class Height(MujocoPlugin):
    """Publishes the height of a body above the ground, while the topic has subscribers."""

    def load(self, model, data):
        body = model.body(self.config['body']).id
        seen = HiddenGeoms(model, np.flatnonzero(model.geom_bodyid == body))
        self.state = new_state(body=body, seen=seen, down=np.array([0.0, 0.0, -1.0]))
        message = Range(max_range=100.0, field_of_view=0.01)
        message.header.frame_id = self.environment.frame(self.config['body'])
        self.ros.create_compiled_publisher(
            Range, '~/range', self.fill, rate_hz=50.0, template=message, state=self.state,
            derived='poses', only_heard=True,
        )  # fmt: skip

    @staticmethod
    @compiled
    def fill(state, model, data, message):
        hit, place = np.empty(1, np.int32), data.xpos[state.body]
        seen = model_at(state.seen)
        distance = mujoco.mj_ray(seen, data, place, state.down, None, True, -1, hit, None)
        message.range = distance if hit[0] >= 0 else np.inf
