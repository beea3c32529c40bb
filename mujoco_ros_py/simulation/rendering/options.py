"""The options of all images, and of each camera: visible elements and groups, effects."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import mujoco
import numpy as np

from ...config import unknown
from ...errors import ConfigError

GROUPS = 'geom', 'site', 'joint', 'tendon', 'actuator'
"""The kinds of elements whose groups can be shown and hidden."""
_MOST_GROUPS = int(mujoco.mjNGROUP)
_ELEMENTS = {name: number for number, (name, *_) in enumerate(mujoco.mjVISSTRING)}
_EFFECTS = {name: number for number, (name, *_) in enumerate(mujoco.mjRNDSTRING)}
_OF_THE_RENDERER = {'Depth', 'Segment', 'Id Color'}
"""Effects that replace the colours of an image with other data."""


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


class CameraOptions:
    """The options of a camera. They are immutable; the `with_*` methods return changed copies.

    Elements and effects have the names from MuJoCo's user interface, such as 'Contact Point' and
    'Wireframe', and affect only colour images. Each method raises ConfigError for an unknown name.
    """

    def __init__(self) -> None:
        self.of_colors = mujoco.MjvOption()
        """The options of the scene for colour images; must not be modified."""
        self.of_measures = mujoco.MjvOption()
        """The options of the scene for depth and labels, which show only the physical world."""
        self._effects: Mapping[int, bool] = MappingProxyType({})

    @property
    def are_alike(self) -> bool:
        """Whether colour, depth and label images show the same scene."""
        return bool(np.array_equal(self.of_colors.flags, self.of_measures.flags))

    def flags(self, flags: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Returns a renderer's scene flags with this camera's effects applied."""
        if not self._effects:
            return flags
        changed: np.ndarray[Any, Any] = flags.copy()
        changed[list(self._effects)] = list(self._effects.values())
        return changed

    def elements(self) -> dict[str, bool]:
        """Returns whether each kind of element besides the geoms is shown, by name."""
        return {name: bool(self.of_colors.flags[number]) for name, number in _ELEMENTS.items()}

    def effects(self, options: RenderOptions) -> dict[str, bool]:
        """Returns whether each effect is on in a renderer with these options, by name."""
        base = np.array([default == '1' for _, default, _ in mujoco.mjRNDSTRING])
        options.write(base)
        flags = self.flags(base)
        return {
            name: bool(flags[number])
            for name, number in _EFFECTS.items()
            if name not in _OF_THE_RENDERER
        }

    def groups(self, kind: str) -> list[bool]:
        """Returns whether each group of a kind of element is shown."""
        return [bool(each) for each in getattr(self.of_colors, f'{kind}group')]

    def with_element(self, name: str, active: bool) -> CameraOptions:
        """Returns options that show or hide a kind of element."""
        changed = self._copy()
        changed.of_colors.flags[_number('element', name, _ELEMENTS)] = active
        return changed

    def with_effect(self, name: str, active: bool) -> CameraOptions:
        """Returns options that switch an effect of the colour images on or off."""
        known = {each: number for each, number in _EFFECTS.items() if each not in _OF_THE_RENDERER}
        changed = self._copy()
        changed._effects = {**self._effects, _number('effect', name, known): bool(active)}
        return changed

    def with_groups(self, kind: str, shown: Sequence[int]) -> CameraOptions:
        """Returns options that show or hide the first groups of a kind of element.

        Raises ConfigError if `shown` has more entries than MuJoCo has groups.
        """
        if len(shown) > _MOST_GROUPS:
            raise ConfigError(
                f'{kind}_groups must have at most {_MOST_GROUPS} entries, got {len(shown)}'
            )
        changed = self._copy()
        for option in (changed.of_colors, changed.of_measures):
            getattr(option, f'{kind}group')[: len(shown)] = [bool(each) for each in shown]
        return changed

    def _copy(self) -> CameraOptions:
        made = CameraOptions()
        made.of_colors, made.of_measures = copy.copy(self.of_colors), copy.copy(self.of_measures)
        made._effects = self._effects
        return made


AS_USUAL = CameraOptions()
"""The options of cameras whose options were never set."""


def _number(what: str, name: str, known: Mapping[str, int]) -> int:
    if name not in known:
        raise ConfigError(unknown(f'render {what}', name, known))
    return known[name]
