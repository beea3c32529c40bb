"""The frames that a message may name, for compiled code."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ...plugins import MujocoPlugin
from ...plugins.compiled_code import Memory
from ...simulation import model_frames

PLACE = np.dtype([('kind', int), ('number', int)])
"""The row of a record for a frame: whether it is a body or a site, and its id."""


class FrameTable:
    """The frames of a model that a message may name: the world, named bodies and sites.

    Names are those of TF: the whole names of the model, with the prefix of the server. An empty
    name and `world` are the world; of a body and a site with one name the body counts.
    """

    def __init__(self, plugin: MujocoPlugin[Any], model: mujoco.MjModel) -> None:
        self.frames = model_frames(model, plugin.environment.body_frame)
        """The kind and the id of each frame, by its name."""
        numbers = [0.0]
        for name, place in self.frames.items():
            text = name.encode()
            numbers += [len(text), *place, *text]
        numbers[0] = len(numbers)
        self.memory = Memory(np.array(numbers))
        """The table as numbers, so that that of another model may be longer: the count of all
        numbers, and for each frame the length of its name, its kind, its id and its name."""

    @property
    def names(self) -> list[str]:
        """The names but the empty one."""
        return list(filter(None, self.frames))

    def moved(self, place: Any, table: FrameTable) -> bool:
        """Writes kind and id that a frame of this table has in another one into its row.

        Returns False, and writes nothing, if the frame is not there.
        """
        here = int(place['kind']), int(place['number'])
        names = [name for name, other in self.frames.items() if other == here]
        there = next((table.frames[name] for name in names if name in table.frames), None)
        if there is not None:
            place['kind'], place['number'] = there
        return there is not None
