"""Exports functions for attached models and inherited defaults under PyMJCF's module name."""

from ..tree.traversal import (
    commit_defaults,
    get_attachment_frame,
    get_frame_freejoint,
    get_frame_joints,
    get_freejoint,
)

__all__ = [
    'commit_defaults',
    'get_attachment_frame',
    'get_frame_freejoint',
    'get_frame_joints',
    'get_freejoint',
]
