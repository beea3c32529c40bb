from std_msgs.msg import Float64

from mujoco_ros_py.plugins import MujocoPlugin


class Torque(MujocoPlugin):
    """Sets an actuator's control from a topic."""

    def load(self, model, data):
        self.actuator, self.torque = model.actuator(self.config['actuator']).id, 0.0
        self.ros.create_subscription(Float64, '~/target', self.take, 1)

    def take(self, message):
        self.torque = message.data

    def control_callback(self, model, data):
        data.ctrl[self.actuator] = self.torque
