import numpy as np
from std_msgs.msg import Float64

from mujoco_ros_py.plugins import MujocoPlugin
from mujoco_ros_py.simulation.rendering import FreeCamera, Stream, View


class Depth(MujocoPlugin):
    """Publishes the distance to the nearest object in view of a camera on a body."""

    def load(self, model, data):
        body = model.body(self.config['body']).id
        camera = FreeCamera(body=body, position=np.array([0.0, 0.0, 0.6]), fovy=60.0)
        view = View(
            camera=camera, width=160, height=120, rate_hz=10.0, deliver=self.measure,
            wanted=lambda: Stream.DEPTH if self.nearest.get_subscription_count() else Stream(0),
        )  # fmt: skip
        self.nearest = self.ros.create_publisher(Float64, '~/nearest')
        self.environment.rendering.open(model, view)

    def measure(self, frame):
        self.nearest.publish(Float64(data=float(frame.depth.min())))
