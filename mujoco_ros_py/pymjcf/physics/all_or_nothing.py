"""A model, its data, and whether the data are out of date."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

from ...errors import PhysicsError
from ...mjcf.physics.memory import Memory
from ...mjcf.physics.stages import CURRENT, POSITIONS


class AllOrNothing(Memory):
    """A memory in which every write makes all derived values outdated, as in PyMJCF.

    An invalid state raises dm_control's own error if dm_control is imported.
    """

    __slots__ = ('_outdated',)

    @property
    def outdated(self) -> int:
        """The first stage that is out of date."""
        return self._outdated

    @outdated.setter
    def outdated(self, stage: int) -> None:
        self._outdated = POSITIONS if stage else CURRENT

    def _tell(self, counts: Any) -> None:
        try:
            super()._tell(counts)
        except PhysicsError as error:
            raise _error_type()(*error.args) from None


def _error_type() -> type[PhysicsError]:
    control = sys.modules.get('dm_control.rl.control')
    return PhysicsError if control is None else _of_both(control.PhysicsError)


@cache
def _of_both(theirs: type[Exception]) -> type[PhysicsError]:
    return type('PhysicsError', (PhysicsError, theirs), {'__module__': __name__})
