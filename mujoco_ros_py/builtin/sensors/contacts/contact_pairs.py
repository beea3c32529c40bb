"""Selects the geom pairs whose contacts are reported; stores geom names for compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from ....config import unknown
from ....errors import PluginError
from ....plugins import MujocoPlugin
from ....plugins.compiled_code import Memory
from ....simulation import name_of, names_of
from ...transforms.subtrees import subtree

FIRST, SECOND = 1, 2
"""The roles of a geom, as bits: whether it can be the first or the second geom of a contact."""
NUMBER_BYTES = 8
"""The size in bytes of a number in the memory of names."""


class ContactPairs:
    """The geoms' roles in reported contacts, and the names of the geoms and their bodies."""

    def __init__(
        self,
        plugin: MujocoPlugin[Any],
        model: mujoco.MjModel,
        first: Sequence[str],
        second: Sequence[str],
    ) -> None:
        """`first` and `second` name geoms and bodies; an empty list selects all geoms.

        Raises PluginError if a name is unknown.
        """
        roles = FIRST * _chosen(plugin, model, 'first', first)
        self._roles = Memory(roles + SECOND * _chosen(plugin, model, 'second', second))
        geoms, bodies = mujoco.mjtObj.mjOBJ_GEOM, mujoco.mjtObj.mjOBJ_BODY
        names = [name_of(model, geoms, geom) for geom in range(model.ngeom)]
        of = [name_of(model, bodies, int(body)) for body in model.geom_bodyid]
        self.longest = max((len(name.encode()) for name in [*names, *of]), default=1)
        """The length of the longest name, in bytes."""
        self._names = [_Names(each, self.longest) for each in (names, of)]

    def fields(self) -> dict[str, Any]:
        """Returns the state fields that hold the roles and names."""
        geoms, bodies = self._names
        return {
            'roles': self._roles,
            'geom_names': geoms.bytes,
            'geom_lengths': geoms.lengths,
            'body_names': bodies.bytes,
            'body_lengths': bodies.lengths,
            'width': geoms.width,
            'ngeom': max(1, len(self._roles.array)),
        }


class _Names:
    """The names of elements, padded to the same number of bytes, and their lengths."""

    def __init__(self, names: Sequence[str], longest: int) -> None:
        self.width = -(-longest // NUMBER_BYTES)
        """The space per name, in eight-byte numbers."""
        room = self.width * NUMBER_BYTES
        encoded = [name.encode() for name in names] or [b'']
        text = b''.join(name.ljust(room, b'\0') for name in encoded)
        self.bytes = Memory(np.frombuffer(text, np.float64))
        self.lengths = Memory([len(name) for name in encoded])


def _chosen(
    plugin: MujocoPlugin[Any], model: mujoco.MjModel, key: str, names: Sequence[str]
) -> np.ndarray[Any, Any]:
    """Returns 1 for each geom that is named or in the subtree of a named body, 0 for all others.

    `world` selects only the world's own geoms, because its subtree contains all bodies.
    """
    if not names:
        return np.ones(max(1, model.ngeom))
    prefix = plugin.environment.prefix
    geoms = names_of(model, mujoco.mjtObj.mjOBJ_GEOM, prefix)
    bodies = names_of(model, mujoco.mjtObj.mjOBJ_BODY, prefix) | {'world': 0}
    chosen = np.zeros(max(1, model.ngeom))
    for name in names:
        if name in geoms:
            chosen[geoms[name]] = 1.0
        elif name in bodies:
            body = bodies[name]
            chosen[np.isin(model.geom_bodyid, subtree(model, body) if body else [0])] = 1.0
        else:
            raise PluginError(f'{key}: {unknown("geom or body", name, [*geoms, *bodies])}')
    return chosen
