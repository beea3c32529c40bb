"""What a server chooses about its images."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class RenderOptions:
    """Fast in software by default: what costs most there is off."""

    backend: str = 'auto'
    """Where OpenGL comes from: egl, osmesa, or auto for the first of them that works."""
    shadows: bool = False
    reflections: bool = False
    samples: int = 0
    """For each pixel of a colour image, against jagged edges; 0: one, none is averaged."""
