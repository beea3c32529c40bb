"""Holds triangles in memory while mesh files are converted to MuJoCo's format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .tag import Vector


@dataclass(frozen=True, kw_only=True, slots=True)
class Triangles:
    """Triangles of one colour."""

    vertices: NDArray[np.float32]
    """The vertex positions, shape (count, 3)."""
    faces: NDArray[np.int32]
    """The vertex indices of each triangle, shape (count, 3)."""
    rgba: Vector | None = None
    """The colour; None if the file gives no colour."""

    @classmethod
    def joined(cls, parts: Sequence[Triangles], rgba: Vector | None = None) -> Triangles:
        """Merges the triangles of all parts, with one colour."""
        starts = np.cumsum([0, *(len(part.vertices) for part in parts)])
        return cls(
            vertices=np.concatenate([part.vertices for part in parts]),
            faces=np.concatenate(
                [part.faces + start for part, start in zip(parts, starts[:-1], strict=True)]
            ).astype(np.int32),
            rgba=rgba,
        )
