"""The frames that a message may name, for compiled code."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ...plugins import MujocoPlugin
from ...simulation import model_frames


def frame_table(plugin: MujocoPlugin[Any], model: mujoco.MjModel) -> np.ndarray[Any, Any]:
    """Returns a row for each frame that a message may name: the world, named bodies and sites.

    Names are those of TF: the whole names of the model, with the prefix of the server. An empty
    name and `world` are the world; of a body and a site with one name the body counts.
    """
    frames = model_frames(model, plugin.environment.body_frame)
    rows = {name.encode(): place for name, place in frames.items()}
    longest = max(map(len, rows))
    table = np.zeros(len(rows), _row_type(longest))
    for row, (name_bytes, place) in zip(table, rows.items(), strict=True):
        row['name'] = list(name_bytes.ljust(longest, b'\0'))
        row['length'], (row['kind'], row['number']) = len(name_bytes), place
    return table


def _row_type(longest: int) -> np.dtype[Any]:
    fields: list[Any] = [('name', np.uint8, longest), ('length', int)]
    return np.dtype([*fields, ('kind', int), ('number', int)], align=True)
