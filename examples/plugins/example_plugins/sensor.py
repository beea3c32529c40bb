from dataclasses import dataclass

from std_msgs.msg import Float64MultiArray

from mujoco_ros_py.plugins import MujocoPlugin, ranged


@dataclass(frozen=True)
class Config:
    """The configuration of the sensor publisher."""

    sensor: str
    """Sensor in the model to publish."""
    rate: float = ranged(1000.0, above=0.0, unit='Hz')
    """Publishing rate, in simulated time."""


class Sensor(MujocoPlugin[Config]):
    """Publishes the values of a sensor in the model."""

    def load(self, model, data):
        sensor = model.sensor(self.config.sensor)
        self.values = slice(sensor.adr[0], sensor.adr[0] + sensor.dim[0])
        self.publisher = self.ros.create_publisher(Float64MultiArray, '~/values')
        self.environment.follow(self.config.rate, self.send)

    def send(self, snapshot):
        self.publisher.publish(Float64MultiArray(data=snapshot.sensors()[self.values].tolist()))
