"""Arrays of elements, of which also those can be written that MuJoCo computes."""

from __future__ import annotations

import warnings
from typing import Any

from ...mjcf.physics.binding import Binding, DemandedQuantity, Quantity
from ...mjcf.physics.fields import Field
from ...mjcf.physics.stages import ALIGNED


class Writable(Quantity):
    """What is computed holds what is written until it is computed again."""

    __slots__ = ()

    def __init__(self, field: Field) -> None:
        super().__init__(field)
        if field.of_data:
            self._read_only = False

    def __set__(self, binding: Binding, value: Any) -> None:
        memory = binding._memory
        if memory.outdated > self._held_until:
            memory.refresh()
        if self.field.name in ALIGNED and super()._is_fixed(memory, binding._rows_of(self.field)):
            warnings.warn(
                f'{self.field.name}: MuJoCo compiled the body as a simple one, so that its inertia'
                ' will be wrong; change the element and reload',
                stacklevel=2,
            )
        super().__set__(binding, value)

    def _is_fixed(self, memory: Any, rows: Any) -> bool:
        return False


class WritableOnDemand(Writable, DemandedQuantity):
    """One that MuJoCo computes if a sensor needs it, and here if somebody asks."""

    __slots__ = ()
