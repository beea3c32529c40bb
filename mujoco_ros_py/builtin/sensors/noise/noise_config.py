"""The configuration of noise, with the names of SDFormat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ....config import ranged
from ....errors import ConfigError


@dataclass(frozen=True, kw_only=True, slots=True)
class AxisNoise:
    """The noise of one number that a sensor measures.

    The parameters have the names and the meaning of the element `<noise>` of SDFormat 1.12. They
    are in the unit of the number. The measured number is the sum of the true one, of a bias that
    is constant, of a bias that drifts, and of white noise.
    """

    type: Literal['none', 'gaussian', 'gaussian_quantized'] = 'gaussian'
    """`none`: no noise; `gaussian`: noise as below; `gaussian_quantized`: the sum is rounded to
    multiples of `precision` too."""
    mean: float = 0.0
    """The mean of the white noise."""
    stddev: float = ranged(0.0, minimum=0.0)
    """The standard deviation of the white noise, which is independent in each measurement."""
    bias_mean: float = 0.0
    """The mean of the distribution from which the constant bias is drawn."""
    bias_stddev: float = ranged(0.0, minimum=0.0)
    """The standard deviation of the distribution from which the constant bias is drawn, once."""
    dynamic_bias_stddev: float = ranged(0.0, minimum=0.0)
    """The density of the noise that drives the drifting bias, in the unit of the number per square
    root of a second. The bias is a Gauss-Markov process that starts at 0; its standard deviation
    becomes this times the root of half the correlation time."""
    dynamic_bias_correlation_time: float = ranged(0.0, minimum=0.0, unit='s')
    """The correlation time of the drifting bias; a very long one makes a random walk."""
    precision: float = ranged(0.0, minimum=0.0)
    """The step of `gaussian_quantized`; 0: not rounded."""

    @property
    def silent(self) -> bool:
        """Whether the measured number is the true one."""
        amounts = (
            self.mean,
            self.stddev,
            self.bias_mean,
            self.bias_stddev,
            self.dynamic_bias_stddev,
        )
        rounds = self.type == 'gaussian_quantized' and self.precision > 0
        return self.type == 'none' or not (rounds or any(amounts))

    def __post_init__(self) -> None:
        if self.dynamic_bias_stddev and not self.dynamic_bias_correlation_time:
            raise ConfigError(
                'dynamic_bias_correlation_time must be > 0 where dynamic_bias_stddev is, got 0'
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class VectorNoise(AxisNoise):
    """The noise of a vector: that of all axes, unless `x`, `y` or `z` has one of its own.

    Each axis draws numbers of its own.
    """

    x: AxisNoise | None = None
    """The noise of the first axis in place of the common one."""
    y: AxisNoise | None = None
    """The noise of the second axis in place of the common one."""
    z: AxisNoise | None = None
    """The noise of the third axis in place of the common one."""

    @property
    def axes(self) -> tuple[AxisNoise, AxisNoise, AxisNoise]:
        """The noise of each axis."""
        return self.x or self, self.y or self, self.z or self
