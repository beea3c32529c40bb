"""Sensor noise, with SDFormat's names and meanings."""

from .noise_config import AxisNoise, VectorNoise, noise_rows
from .noisy_values import (
    bias,
    noisy,
    noisy_distance,
    noisy_rotation,
    noisy_vector,
    sample_index,
    set_covariance,
    set_variances,
    variance,
)

__all__ = [
    'AxisNoise',
    'VectorNoise',
    'bias',
    'noise_rows',
    'noisy',
    'noisy_distance',
    'noisy_rotation',
    'noisy_vector',
    'sample_index',
    'set_covariance',
    'set_variances',
    'variance',
]
