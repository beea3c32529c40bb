"""The model of a world, composed of a base and of entities that come and go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import mujoco

from .entity import Entity
from .entity_specs import place

Pose = tuple[Sequence[float] | None, Sequence[float] | None]
"""The position of a body in m, and its orientation as a quaternion with w first; None: as in the
model."""
_ASSETS = 'materials', 'textures', 'meshes', 'hfields', 'skins', 'numerics', 'texts', 'tuples'
"""The elements of an entity that stay where its body is deleted, as the names of their lists."""


_MOST_GONE = 32
"""The number of deleted entities after which a composition is made anew.

As long as the MjSpec lives, MuJoCo keeps some ten kilobytes for each entity that was attached.
"""


class Composition:
    """An MjSpec to which models are attached, each under the name of its entity and a slash."""

    def __init__(self, base: mujoco.MjSpec) -> None:
        """Copies the base, to which entities are attached; the given one stays as it is."""
        self._spec = base.copy()
        self._there = self._gone = 0

    def attach(self, name: str, part: mujoco.MjSpec) -> None:
        """Attaches a copy of a part to the world. Raises ValueError with MuJoCo's message."""
        frame = self._spec.worldbody.add_frame(name=f'{name}/')
        self._spec.attach(part.copy(), frame=frame, prefix=f'{name}/')
        self._there += 1

    def detach(self, entity: Entity) -> None:
        """Removes an entity with all that refers to it."""
        spec = self._spec
        spec.delete(spec.body(entity.body))
        if not entity.spawned:
            return
        self._there, self._gone = self._there - 1, self._gone + 1
        frame = spec.frame(f'{entity.name}/')
        if frame is not None:
            spec.delete(frame)
        for element in list(self._left_over(f'{entity.name}/')):
            spec.delete(element)

    def place(self, body: str, pose: Pose) -> None:
        """Places a top-level body in the world."""
        place(self._spec.body(body), *pose)

    @property
    def worn(self) -> bool:
        """Whether making it anew is due: so many entities have gone, and not many are there."""
        return self._gone > max(_MOST_GONE, self._there)

    def compile(self) -> mujoco.MjModel:
        """Compiles the model. After an error the composition is of no use any more."""
        return self._spec.compile()

    def _left_over(self, prefix: str) -> Iterator[Any]:
        for kind in _ASSETS:
            for element in getattr(self._spec, kind, ()):
                if element.name.startswith(prefix):
                    yield element
