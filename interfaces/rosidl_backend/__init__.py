"""Builds wheels of ROS interface packages with ROS's generators, gcc and g++."""

from .environment import missing, pins, read
from .hooks import build_wheel, get_requires_for_build_wheel, prepare_metadata_for_build_wheel
from .package import Package

__all__ = [
    'Package',
    'build_wheel',
    'get_requires_for_build_wheel',
    'missing',
    'pins',
    'prepare_metadata_for_build_wheel',
    'read',
]
