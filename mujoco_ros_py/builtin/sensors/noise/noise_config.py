"""The configuration of noise, with the names of SDFormat, and its rows for compiled code."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ....config import ranged
from ....errors import ConfigError

NOISE = np.dtype(
    [
        ('key', np.int64),
        ('on', np.int64),
        ('mean', np.float64),
        ('stddev', np.float64),
        ('bias_mean', np.float64),
        ('bias_stddev', np.float64),
        ('drive', np.float64),
        ('correlation_s', np.float64),
        ('precision', np.float64),
    ]
)
"""The noise of one number: the key of its random numbers, whether there is any noise, and the
parameters of `AxisNoise`, of which `precision` is 0 where nothing is rounded."""


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


def noise_rows(
    noises: Sequence[AxisNoise], seed: int, stream: str, secret: bytes = b''
) -> np.ndarray[Any, np.dtype[Any]]:
    """Returns a row of type `NOISE` for each of the noises.

    The random numbers of a row depend on the seed, on the name of the stream and on the position
    of the row, and on nothing else: other sensors do not change them. They are drawn by the number
    of the sample, so a measurement at some simulated time has the same noise in every run. With a
    `secret` (up to 64 bytes), nobody can compute them who does not know it.
    """
    rows = np.zeros(len(noises), NOISE)
    for number, (row, noise) in enumerate(zip(rows, noises, strict=True)):
        row['key'] = _key(seed, stream, number, secret)
        row['on'] = not noise.silent
        row['mean'], row['stddev'] = noise.mean, noise.stddev
        row['bias_mean'], row['bias_stddev'] = noise.bias_mean, noise.bias_stddev
        row['drive'] = noise.dynamic_bias_stddev
        row['correlation_s'] = noise.dynamic_bias_correlation_time
        row['precision'] = noise.precision if noise.type == 'gaussian_quantized' else 0.0
    return rows


def _key(seed: int, stream: str, number: int, secret: bytes) -> int:
    """Returns a number of 64 bits that differs for other arguments; the same in all processes."""
    name = f'{seed} {number} {stream}'.encode()
    digest = hashlib.blake2b(name, digest_size=8, key=secret).digest()
    return int.from_bytes(digest, 'little', signed=True)


def check_covariance(name: str, given: tuple[float, ...]) -> None:
    """Raises ConfigError unless a covariance has nine numbers or none."""
    if len(given) not in (0, 9):
        raise ConfigError(f'{name} must have 9 numbers or none, got {len(given)}')


def covariance_fields(given: tuple[float, ...]) -> dict[str, Any]:
    """Returns fields of the state: whether a covariance is `given`, and its nine numbers."""
    return {'given': bool(given), 'covariance': np.array(given or (0.0,) * 9)}
