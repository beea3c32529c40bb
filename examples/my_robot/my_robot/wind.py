"""A plugin that simulates wind on a body."""

import math
from dataclasses import dataclass

from mujoco_ros_py.plugins import MujocoPlugin, Reconfigurable, compiled, new_state, ranged


@dataclass(frozen=True, kw_only=True)
class WindConfig:
    """The parameters of the plugin."""

    body: str
    """Body exposed to the wind."""
    area: float = ranged(0.05, minimum=0.0, unit='m^2')
    """Drag coefficient times frontal area."""
    speed: float = ranged(0.0, minimum=0.0, unit='m/s', live=True)
    """Speed of the wind."""
    direction: float = ranged(0.0, unit='rad', live=True)
    """Direction in which the wind blows, from the world's x-axis."""


class Wind(MujocoPlugin[WindConfig], Reconfigurable):
    """Applies the drag of a horizontal wind to a body; ignores the body's own velocity."""

    def load(self, model, data):
        self.state = new_state(body=model.body(self.config.body).id, x=0.0, y=0.0)
        self.configure(self.config)

    def configure(self, config):
        force = 0.5 * 1.2 * config.area * config.speed**2  # the density of air is 1.2 kg/m^3
        self.state.x = force * math.cos(config.direction)
        self.state.y = force * math.sin(config.direction)

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.xfrc_applied[state.body, 0] = state.x
        data.xfrc_applied[state.body, 1] = state.y
