"""Designs motions of joints that determine the parameters of a model well."""

from .design import Design, Request, design
from .joint_limits import LimitOptions
from .trajectory import trajectory_yaml

__all__ = ['Design', 'LimitOptions', 'Request', 'design', 'trajectory_yaml']
