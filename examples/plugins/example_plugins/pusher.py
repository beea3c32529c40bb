import math
from dataclasses import dataclass, field
from typing import Literal

from mujoco_ros_py.plugins import MujocoPlugin, Reconfigurable, compiled, new_state, ranged


@dataclass(frozen=True, kw_only=True)
class Wave:
    """The variation of the force."""

    amplitude: float = ranged(0.0, minimum=0.0, live=True)
    """The share of the force that varies."""
    frequency: float = ranged(1.0, above=0.0, unit='Hz')
    """The frequency of the variation."""


@dataclass(frozen=True, kw_only=True)
class Config:
    """The configuration of the pusher."""

    body: str
    """The body that is pushed."""
    force: float = ranged(1.0, minimum=-100.0, maximum=100.0, unit='N', live=True)
    """The force on the body."""
    axis: Literal['x', 'y', 'z'] = 'x'
    """The axis of the world along which the body is pushed."""
    wave: Wave = field(default_factory=Wave)
    until: float | None = None
    """The end of the push, in seconds of simulated time."""


class Pusher(MujocoPlugin[Config], Reconfigurable):
    """Pushes a body with a constant or varying force."""

    def load(self, model, data):
        self.state = new_state(
            body=model.body(self.config.body).id,
            axis='xyz'.index(self.config.axis),
            force=self.config.force,
            amplitude=self.config.wave.amplitude,
            turns=2 * math.pi * self.config.wave.frequency,
            until=1e300 if self.config.until is None else self.config.until,
        )

    def configure(self, config):
        self.state.force, self.state.amplitude = config.force, config.wave.amplitude

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        wave = 1 + state.amplitude * math.sin(state.turns * data.time)
        force = state.force * wave if data.time < state.until else 0.0
        data.xfrc_applied[state.body, state.axis] = force
