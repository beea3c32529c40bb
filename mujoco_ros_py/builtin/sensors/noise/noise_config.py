"""The noise configuration, with SDFormat's names. Compiled code reads it as rows of `NOISE`."""

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
"""The noise of one number: the key of its random numbers, whether noise is on, and the parameters
of `AxisNoise`. A `precision` of 0 means no rounding."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AxisNoise:
    """The noise of one measured number.

    Names and meanings of the parameters follow the `<noise>` element of SDFormat 1.12; values are
    in the unit of the measured number. The measurement is the sum of the true value, a constant
    bias, a drifting bias and white noise.
    """

    type: Literal['none', 'gaussian', 'gaussian_quantized'] = 'gaussian'
    """`none`: no noise; `gaussian`: noise with the parameters below; `gaussian_quantized`:
    additionally rounds the sum to multiples of `precision`."""
    mean: float = 0.0
    """The mean of the white noise."""
    stddev: float = ranged(0.0, minimum=0.0)
    """The standard deviation of the white noise, which is independent for each measurement."""
    bias_mean: float = 0.0
    """The mean of the distribution from which the constant bias is drawn."""
    bias_stddev: float = ranged(0.0, minimum=0.0)
    """The standard deviation of the distribution from which the constant bias is drawn, once per
    run."""
    dynamic_bias_stddev: float = ranged(0.0, minimum=0.0)
    """The density of the noise that drives the drifting bias, in the unit of the number per square
    root of a second. The bias is a Gauss-Markov process that starts at 0. Its standard deviation
    approaches this density times the square root of half the correlation time."""
    dynamic_bias_correlation_time: float = ranged(0.0, minimum=0.0, unit='s')
    """The correlation time of the drifting bias; a very long time approximates a random walk."""
    precision: float = ranged(0.0, minimum=0.0)
    """The rounding step of `gaussian_quantized`; 0: no rounding."""

    @property
    def silent(self) -> bool:
        """Whether measurements always equal the true value."""
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
                'dynamic_bias_correlation_time must be > 0 if dynamic_bias_stddev is > 0, got 0'
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class VectorNoise(AxisNoise):
    """The noise of a vector. `x`, `y` and `z` replace the common noise of one axis.

    Each axis draws its own random numbers.
    """

    x: AxisNoise | None = None
    """The noise of the first axis, instead of the common noise."""
    y: AxisNoise | None = None
    """The noise of the second axis, instead of the common noise."""
    z: AxisNoise | None = None
    """The noise of the third axis, instead of the common noise."""

    @property
    def axes(self) -> tuple[AxisNoise, AxisNoise, AxisNoise]:
        """The noise of each axis."""
        return self.x or self, self.y or self, self.z or self


def noise_rows(
    noises: Sequence[AxisNoise], seed: int, stream: str, secret: bytes = b''
) -> np.ndarray[Any, np.dtype[Any]]:
    """Returns a row of type `NOISE` for each noise.

    The random numbers of a row depend only on the seed, the stream name and the row index; other
    sensors do not change them. The simulated time of a measurement, counted in steps, selects its
    random numbers, so it has the same noise in every run. With a `secret` (up to 64 bytes), nobody
    can compute the numbers without knowing it.
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
    """Hashes the arguments to a 64-bit number that is the same in all processes."""
    name = f'{seed} {number} {stream}'.encode()
    digest = hashlib.blake2b(name, digest_size=8, key=secret).digest()
    return int.from_bytes(digest, 'little', signed=True)


def check_covariance(name: str, given: tuple[float, ...]) -> None:
    """Raises ConfigError unless a covariance is empty or has nine numbers."""
    if len(given) not in (0, 9):
        raise ConfigError(f'{name} must be empty or have 9 numbers, got {len(given)}')


def covariance_fields(given: tuple[float, ...]) -> dict[str, Any]:
    """Returns the state fields `given` (whether a covariance is configured) and `covariance`."""
    return {'given': bool(given), 'covariance': np.array(given or (0.0,) * 9)}
