"""Many worlds of one configuration, stepped on all cores without the GIL and without ROS."""

from ... import requirements as _requirements  # noqa: F401  (refuses unsupported MuJoCo versions)
from .batch import Batch
from .batch_world import BatchWorld

__all__ = ['Batch', 'BatchWorld']
