import math
from dataclasses import dataclass, field
from typing import Literal

from mujoco_ros_py.plugins import MujocoPlugin, Reconfigurable, compiled, new_state, ranged


@dataclass(frozen=True, kw_only=True)
class Wave:
    """A sinusoidal variation of the force."""

    amplitude: float = ranged(0.0, minimum=0.0, live=True)
    """Amplitude, as a fraction of the force."""
    frequency: float = ranged(1.0, above=0.0, unit='Hz')
    """Frequency of the variation."""


@dataclass(frozen=True, kw_only=True)
class Config:
    """The configuration of the pusher."""

    body: str
    """Body to push."""
    force: float = ranged(1.0, minimum=-100.0, maximum=100.0, unit='N', live=True)
    """Force on the body."""
    axis: Literal['x', 'y', 'z'] = 'x'
    """World axis along which the force acts."""
    wave: Wave = field(default_factory=Wave)
    until: float | None = None
    """Simulated time (s) when the push ends; None to push forever."""


class Pusher(MujocoPlugin[Config], Reconfigurable):
    """Pushes a body with a constant or sinusoidal force."""

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
