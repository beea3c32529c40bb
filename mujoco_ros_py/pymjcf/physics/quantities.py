"""Arrays of elements, in which computed values can be written too."""

from __future__ import annotations

import warnings
from typing import Any

from ...mjcf.physics.binding import Binding, DemandedQuantity, Quantity
from ...mjcf.physics.fields import Field
from ...mjcf.physics.stages import ALIGNED


class Writable(Quantity):
    """An array whose written values hold until MuJoCo computes the array again."""

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
    """A writable array that MuJoCo computes only for sensors; it is computed at each access."""

    __slots__ = ()
