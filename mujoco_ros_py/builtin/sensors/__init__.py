"""Sensors that publish ROS messages, and the base class for custom sensors."""

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
