"""Sensors: what a robot measures, as messages of ROS, and the base of sensors of your own."""

from .noise import (
    AxisNoise,
    VectorNoise,
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
from .sensor_frames import SensorFrames
from .sensor_plugin import SensorConfig, SensorPlugin
from .sensor_topic import SensorTopic

__all__ = [
    'AxisNoise',
    'SensorConfig',
    'SensorFrames',
    'SensorPlugin',
    'SensorTopic',
    'VectorNoise',
    'bias',
    'noisy',
    'noisy_distance',
    'noisy_rotation',
    'noisy_vector',
    'sample_index',
    'set_covariance',
    'set_variances',
    'variance',
]
