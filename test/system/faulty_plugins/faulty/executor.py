"""A plugin whose ROS callbacks, which run on the executor's thread, have a configured fault."""

from __future__ import annotations

from std_msgs.msg import Empty
from std_srvs.srv import Trigger

from mujoco_ros_py.plugins import MujocoPlugin

from .faults import FAULTS
from .lines import say


class OnExecutor(MujocoPlugin):
    """Configured by `entity` (timer, subscription or service) and `fault` (one of FAULTS)."""

    def load(self, model, data):
        if self.config['entity'] == 'timer':
            self.timer = self.node.create_timer(0.1, self._meet)
        elif self.config['entity'] == 'subscription':
            self.node.create_subscription(Empty, '/faulty/topic', self._meet, 1)
        else:
            self.node.create_service(Trigger, '/faulty/service', self._meet)

    def _meet(self, *arguments):
        say('the ROS callback is called')
        FAULTS[self.config['fault']](self, f'a {self.config["entity"]}')
