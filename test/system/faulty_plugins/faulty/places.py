"""A plugin with a configured fault on a configured thread."""

from __future__ import annotations

from std_msgs.msg import Empty
from std_srvs.srv import Trigger

from mujoco_ros_py.plugins import MujocoPlugin
from mujoco_ros_py.simulation.rendering import Stream, View

from .faults import FAULTS, TAKE_TIME


class Anywhere(MujocoPlugin):
    """Configured by `place` (a key of PLACES) and `fault` (one of FAULTS).

    Faults that take time occur once.
    """

    def load(self, model, data):
        self.model = model
        self._met = False
        PLACES[self.config['place']](self)
        if self.config['place'] == 'load':
            self._meet()

    def reset(self, model, data):
        if self.config['place'] == 'reset':
            self._meet()

    def unload(self):
        if self.config['place'] == 'unload':
            self._meet()

    def control_callback(self, model, data):
        if self.config['place'] == 'control_callback':
            self._meet()

    def last_stage_callback(self, model, data):
        if self.config['place'] == 'last_stage_callback':
            self._meet()

    def render_callback(self, model, data, scene):
        if self.config['place'] == 'render_callback':
            self._meet()

    def _meet(self, *arguments):
        if not self._met:
            self._met = self.config['fault'] in TAKE_TIME
            FAULTS[self.config['fault']](self, self.config['place'])
        if arguments[1:]:  # the future of a service
            return arguments[1]
        return Stream(0)

    def _view(self, **functions):
        given = {'wanted': lambda: Stream.RGB, 'deliver': lambda frame: None, **functions}
        view = View(camera=0, width=32, height=24, rate_hz=20.0, **given)
        self.environment.rendering.open(self.model, view)


PLACES = {
    'follower': lambda self: self.environment.follow(50.0, self._meet),
    'wanted': lambda self: self._view(wanted=self._meet),
    'deliver': lambda self: self._view(deliver=self._meet),
    'submit': lambda self: self.environment.submit(lambda model, data: self._meet()),
    'done': lambda self: self.environment.submit(lambda *_: None).add_done_callback(self._meet),
    'timer': lambda self: self.node.create_timer(0.1, self._meet),
    'subscription': lambda self: self.node.create_subscription(
        Empty, '/faulty/topic', self._meet, 1
    ),
    'parameters': lambda self: self.node.add_on_set_parameters_callback(self._meet),
    'service': lambda self: self.node.create_service(Trigger, '/faulty/service', self._meet),
    'load': lambda self: None,
    'reset': lambda self: None,
    'unload': lambda self: None,
    'control_callback': lambda self: None,
    'last_stage_callback': lambda self: None,
    'render_callback': lambda self: None,
}
