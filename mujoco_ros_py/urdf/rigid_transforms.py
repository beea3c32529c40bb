"""Poses as positions and rotation matrices, with composition and inversion."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .rotations import Array, matrix, roll_pitch_yaw

_SMALL = 1e-12


class RigidTransform(NamedTuple):
    """The pose of a frame in an outer frame."""

    position: Array
    rotation: Array
    """The rotation matrix."""

    @classmethod
    def of(
        cls, position: ArrayLike = (0.0, 0.0, 0.0), quat: ArrayLike = (1.0, 0.0, 0.0, 0.0)
    ) -> RigidTransform:
        """Returns the pose with this position in m and this quaternion (w, x, y, z)."""
        return cls(np.asarray(position, float), matrix(np.asarray(quat, float)))

    def then(self, other: RigidTransform) -> RigidTransform:
        """Composes two poses: converts `other` from this frame to the outer frame."""
        return RigidTransform(
            self.position + self.rotation @ other.position, self.rotation @ other.rotation
        )

    def inverse(self) -> RigidTransform:
        """Returns the pose of the outer frame in this frame."""
        return RigidTransform(-self.rotation.T @ self.position, self.rotation.T)

    @property
    def is_identity(self) -> bool:
        """Whether both frames coincide, up to rounding."""
        off = np.abs(self.rotation - np.eye(3)).max()
        return bool(max(np.abs(self.position).max(), off) < _SMALL)

    def origin(self) -> dict[str, str]:
        """Returns the attributes of an <origin>; empty for the identity."""
        if self.is_identity:
            return {}
        return {'xyz': numbers(self.position), 'rpy': numbers(roll_pitch_yaw(self.rotation))}


def numbers(values: Any) -> str:
    """Formats numbers for URDF, with all significant digits."""
    return ' '.join(repr(float(value) + 0.0) for value in values)
