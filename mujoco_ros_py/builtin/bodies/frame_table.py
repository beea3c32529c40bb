"""A table in which compiled code looks up the frame that a message names."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ...plugins import MujocoPlugin
from ...plugins.compiled_code import Memory
from ...simulation import model_frames

PLACE = np.dtype([('kind', int), ('number', int)])
"""The record of a frame: its kind (body or site) and its id."""


class FrameTable:
    """The frames of a model that messages can refer to: the world, named bodies and named sites.

    The names are the TF names: full names in the model, with the server's prefix. The empty name
    and `world` both mean the world. If a body and a site share a name, the body wins.
    """

    def __init__(self, plugin: MujocoPlugin[Any], model: mujoco.MjModel) -> None:
        self.frames = model_frames(model, plugin.environment.body_frame)
        """Maps the name of each frame to its kind and id."""
        numbers = [0.0]
        for name, place in self.frames.items():
            text = name.encode()
            numbers += [len(text), *place, *text]
        numbers[0] = len(numbers)
        self.memory = Memory(np.array(numbers))
        """The table, flattened into one array so that its length can change with the model: the
        length of the array, then for each frame the length of its name, its kind, its id and the
        bytes of its name."""

    @property
    def names(self) -> list[str]:
        """All names except the empty one."""
        return list(filter(None, self.frames))

    def moved(self, place: Any, table: FrameTable) -> bool:
        """Looks up a frame of this table by name in another model's table, and updates `place`.

        Returns False, and leaves `place` unchanged, if `table` has no frame of this name.
        """
        here = int(place['kind']), int(place['number'])
        names = [name for name, other in self.frames.items() if other == here]
        there = next((table.frames[name] for name in names if name in table.frames), None)
        if there is not None:
            place['kind'], place['number'] = there
        return there is not None
