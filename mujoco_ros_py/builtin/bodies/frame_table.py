"""The frames that a message may name, for compiled code."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ...plugins import MujocoPlugin
from ...simulation import given_name
from .frame_search import BODY, SITE

WORLD = 'world'


def frame_table(plugin: MujocoPlugin[Any], model: mujoco.MjModel) -> np.ndarray[Any, Any]:
    """Returns a row for each frame that a message may name: the world, named bodies and sites.

    Names are those of TF: the whole names of the model, with the prefix of the server. An empty
    name and `world` are the world; of a body and a site with one name the body counts.
    """
    frame = plugin.environment.body_frame
    rows: dict[bytes, tuple[int, int]] = {b'': (BODY, 0), WORLD.encode(): (BODY, 0)}
    for kind, count, what in (
        (BODY, model.nbody, mujoco.mjtObj.mjOBJ_BODY),
        (SITE, model.nsite, mujoco.mjtObj.mjOBJ_SITE),
    ):
        for number in range(count):
            if name := given_name(model, what, number):
                rows.setdefault(frame(name).encode(), (kind, number))
    longest = max(map(len, rows))
    table = np.zeros(len(rows), _row_type(longest))
    for row, (name_bytes, place) in zip(table, rows.items(), strict=True):
        row['name'] = list(name_bytes.ljust(longest, b'\0'))
        row['length'], (row['kind'], row['number']) = len(name_bytes), place
    return table


def _row_type(longest: int) -> np.dtype[Any]:
    fields: list[Any] = [('name', np.uint8, longest), ('length', int)]
    return np.dtype([*fields, ('kind', int), ('number', int)], align=True)
