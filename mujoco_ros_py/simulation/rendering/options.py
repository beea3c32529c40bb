"""The options that apply to all images."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mujoco


@dataclass(frozen=True, kw_only=True, slots=True)
class RenderOptions:
    """The options of all images. Costly options are off by default, for software rendering."""

    backend: str = 'auto'
    """The OpenGL library: egl, osmesa, or auto for the first that works."""
    shadows: bool = False
    reflections: bool = False
    samples: int = 0
    """The samples per pixel of colour images, for anti-aliasing; 0 means one sample."""

    def write(self, flags: Any) -> None:
        """Writes the options to the flags of a scene (mjtRndFlag)."""
        flags[mujoco.mjtRndFlag.mjRND_SHADOW] = self.shadows
        flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = self.reflections
