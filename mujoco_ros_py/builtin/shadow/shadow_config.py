"""The configuration of the Shadow plugin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ...config import ranged


@dataclass(frozen=True, kw_only=True, slots=True)
class MeasuredNoise:
    """Standard deviations of what the model does not predict."""

    position: float = ranged(0.001, above=0.0, unit='rad or m')
    """Standard deviation of a measured position."""
    velocity: float = ranged(0.01, above=0.0, unit='rad/s or m/s')
    """Standard deviation of a measured velocity; unused if the states have no velocities."""
    effort: float = ranged(0.0, minimum=0.0, unit='N m or N')
    """Standard deviation of a constant effort that acts on each joint and is not in the model."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Hypothesis:
    """A possible reason for residuals."""

    kind: Literal['payload', 'friction', 'force']
    """`payload`: a mass at the centre of a body; `friction`: a factor of the damping and
    frictionloss of joints; `force`: a constant force at the centre of a body, as of a contact."""
    body: str = ''
    """The body of a payload or a force."""
    joints: tuple[str, ...] = ()
    """The joints with other friction; if empty, all joints that the plugin follows."""

    def __post_init__(self) -> None:
        if (self.kind == 'friction') == bool(self.body):
            needs = 'must be empty' if self.kind == 'friction' else 'must be given'
            raise ValueError(f'body {needs} for the kind {self.kind}')


@dataclass(frozen=True, kw_only=True, slots=True)
class ShadowConfig:
    """The configuration of the Shadow plugin."""

    states: str
    """Topic of the robot's joint states (sensor_msgs/JointState)."""
    joints: tuple[str, ...] = ()
    """Joints to follow; if empty, all hinge and slide joints."""
    result: str = ''
    """File result.json of an identification, with the noise of the signals and the intervals of
    the parameters; if empty, only `noise` counts."""
    noise: MeasuredNoise = MeasuredNoise()
    """Noise of signals that `result` does not have."""
    horizon: float = ranged(0.1, above=0.0, maximum=2.0, unit='s')
    """Length of a prediction: from one measured state to a later one."""
    gain: float = ranged(1.0, minimum=0.0, maximum=1.0)
    """Part of the difference to each measured state that is corrected in the simulation."""
    delay: float = ranged(0.0, minimum=0.0, unit='s')
    """Typical delay of the joint states, from the measurement to the arrival."""
    timing: float = ranged(0.002, minimum=0.0, unit='s')
    """Standard deviation of the time between controls and measurements."""
    sigmas: float = ranged(5.0, above=0.0, live=True)
    """Expected bounds, in standard deviations of the residuals."""
    windows: int = ranged(3, minimum=1, live=True)
    """Successive predictions outside the bounds that are an error."""
    memory: int = ranged(10, minimum=1, maximum=1000)
    """Predictions that the hypotheses are fitted to."""
    hypotheses: Mapping[str, Hypothesis] = ranged(default_factory=dict)
    """Possible reasons for residuals, by name."""
    timeout: float = ranged(1.0, above=0.0, unit='s')
    """Wall time without joint states that is a warning."""
