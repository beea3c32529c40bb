"""Noise of whole depth images."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..noise import AxisNoise, noise_rows
from ..noise.drifting_bias import drifting_bias

Array = np.ndarray[Any, np.dtype[Any]]
_BIAS = 2**32
"""The counter of the bias, behind those of all samples."""


class DepthNoise:
    """Adds noise to depth images, which depends on seed, secret and number of the sample only."""

    def __init__(self, noise: AxisNoise, seed: int, stream: str, secret: bytes = b'') -> None:
        row = noise_rows([noise], seed, stream, secret)[0]
        self._on, self._noise = bool(row['on']), noise
        self._key = int(row['key']) % 2**64
        self._shift = noise.mean + noise.bias_mean
        if noise.bias_stddev:
            self._shift += noise.bias_stddev * float(self._normals(_BIAS, (1,))[0])

    def applied(self, depth: Array, sample: int, timestep: float) -> Array:
        """Returns the distances in m as the camera measures them; inf stays inf.

        `sample` is the number of the moment: its simulated time in steps of `timestep` seconds.
        """
        noise = self._noise
        if not self._on:
            return depth
        measured: Array = depth + np.float32(self._shift + self._drift(sample, timestep))
        if noise.stddev:
            measured += np.float32(noise.stddev) * self._normals(sample, depth.shape)
        if noise.type == 'gaussian_quantized' and noise.precision:
            measured = np.round(measured / noise.precision) * noise.precision
        return measured

    def _drift(self, sample: int, timestep: float) -> float:
        """Returns the drifting bias of a moment, which all points have."""
        noise = self._noise
        if not noise.dynamic_bias_stddev:
            return 0.0
        correlation_s = noise.dynamic_bias_correlation_time
        drift = drifting_bias(np.uint64(self._key), sample, timestep, correlation_s)
        return noise.dynamic_bias_stddev * float(drift)

    def _normals(self, sample: int, shape: tuple[int, ...]) -> Array:
        """Returns standard normal numbers that depend on the key and the sample only."""
        bits = np.random.Philox(key=[self._key, sample])
        drawn: Array = np.random.Generator(bits).standard_normal(shape, np.float32)
        return drawn
