"""The labels of segmentation images: one number for each visible element of a model."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ...engine import scene_geoms
from ..models.object_names import name_of

_O = mujoco.mjtObj
_KINDS = {
    'geom': (_O.mjOBJ_GEOM, 'ngeom'),
    'site': (_O.mjOBJ_SITE, 'nsite'),
    'tendon': (_O.mjOBJ_TENDON, 'ntendon'),
    'flex': (_O.mjOBJ_FLEX, 'nflex'),
    'skin': (_O.mjOBJ_SKIN, 'nskin'),
}
_GOLDEN = 0.618033988749895
Array = np.ndarray[Any, np.dtype[Any]]


class Labels:
    """The labels of a model: 0 is the background, then geoms, sites, tendons, flexes, skins."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self._first: dict[int, int] = {}
        self.table: list[dict[str, str]] = [{'type': 'background', 'name': ''}]
        """The meaning of each label: `type`, `name` and, for geoms and sites, `body`."""
        for kind, (objtype, count) in _KINDS.items():
            self._first[int(objtype)] = len(self.table)
            self.table += [_row(model, kind, objtype, i) for i in range(getattr(model, count))]
        self.colors = _colors(len(self.table))
        """The RGB colour of each label, black for 0; uint8, shape (labels, 3)."""

    def of_scene(self, scene: mujoco.MjvScene) -> Array:
        """Returns the label for each pixel value of the id image (MuJoCo's segid + 1), int32."""
        geoms = scene_geoms(scene)
        seen = geoms[geoms['segid'] >= 0]
        labels = np.zeros(scene.ngeom + 1, np.int32)
        for objtype, first in self._first.items():
            of_type = seen[seen['objtype'] == objtype]
            labels[of_type['segid'] + 1] = of_type['objid'] + first
        return labels


def _row(model: mujoco.MjModel, kind: str, objtype: mujoco.mjtObj, index: int) -> dict[str, str]:
    row = {'type': kind, 'name': name_of(model, objtype, index)}
    if kind in ('geom', 'site'):
        body = int(getattr(model, f'{kind}_bodyid')[index])
        row['body'] = name_of(model, mujoco.mjtObj.mjOBJ_BODY, body)
    return row


def _colors(count: int) -> Any:
    """Returns colours that differ between neighbours: the hue advances by the golden ratio."""
    hue = (np.arange(count) * _GOLDEN % 1.0)[:, None]
    value = 1.0 - 0.15 * (np.arange(count) // 3 % 3)[:, None]
    wheel = np.abs((hue * 6 + [0, 4, 2]) % 6 - 3) - 1
    colors = (np.clip(wheel, 0.1, 1) * value * 255).astype(np.uint8)
    colors[0] = 0
    return colors
