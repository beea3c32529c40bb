"""The options of rendering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mujoco


@dataclass(frozen=True, kw_only=True, slots=True)
class RenderOptions:
    """The options of all images; by default the expensive ones are off, for software rendering."""

    backend: str = 'auto'
    """The source of OpenGL: egl, osmesa, or auto for the first of them that works."""
    shadows: bool = False
    reflections: bool = False
    samples: int = 0
    """The samples per pixel of a colour image, for anti-aliasing; 0 is one sample."""

    def write(self, flags: Any) -> None:
        """Writes what the options say into the flags of a scene (mjtRndFlag)."""
        flags[mujoco.mjtRndFlag.mjRND_SHADOW] = self.shadows
        flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = self.reflections
