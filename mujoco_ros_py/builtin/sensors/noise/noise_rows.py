"""The noise of sensors in the memory that compiled code reads."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from .noise_config import AxisNoise

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
