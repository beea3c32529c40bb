"""Reads the measurements and commands of a robot from recordings, cut into sequences."""

from .options import MeasurementOptions, TopicOptions
from .reading import read_sequences

__all__ = ['MeasurementOptions', 'TopicOptions', 'read_sequences']
