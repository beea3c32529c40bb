import mujoco
import numpy as np
from rclpy.time import Time
from sensor_msgs.msg import LaserScan

from mujoco_ros_py.plugins import MujocoPlugin


class Scan(MujocoPlugin):
    """Publishes a 360-degree laser scan around a site, from its own thread."""

    def load(self, model, data):
        self.site, angles = model.site(self.config['site']).id, np.radians(np.arange(360.0))
        self.rays = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
        self.scan = LaserScan(angle_max=angles[-1], angle_increment=angles[1], range_max=10.0)
        self.scan.header.frame_id = self.environment.frame(self.config['site'])
        self.publisher = self.ros.create_publisher(LaserScan, '~/scan')
        self.environment.follow(10.0, self.measure, thread=True)

    def measure(self, snapshot):
        snapshot.update()
        model, data, hit = snapshot.model, snapshot.data, np.empty(1, np.int32)
        place = data.site_xpos[self.site]
        rays = self.rays @ data.site_xmat[self.site].reshape(3, 3).T
        found = [mujoco.mj_ray(model, data, place, ray, None, True, -1, hit, None) for ray in rays]
        self.scan.ranges = [each if 0.0 <= each <= 10.0 else np.inf for each in found]
        self.scan.header.stamp = Time(nanoseconds=round(snapshot.ros_time * 1e9)).to_msg()
        self.publisher.publish(self.scan)
