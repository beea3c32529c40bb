"""What a change of a model or of its state has done, part by part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from ...errors import ConfigError


@dataclass(frozen=True, slots=True)
class ModelChange:
    """An element of the model whose values were changed while the model runs."""

    kind: Literal['body', 'geom', 'equality', 'gravity', 'option']
    """The kind of the element; `gravity` and `option` are those of the whole model."""
    number: int = 0
    """The id of the element."""


@dataclass(slots=True)
class Edit:
    """The parts of a change that were made, and those that were refused."""

    done: list[str] = field(default_factory=list)
    """A clause for each part that was made: `pose of body 'cube' set`."""
    refused: list[str] = field(default_factory=list)
    """A sentence for each part that was not made, with the reason."""
    changes: list[ModelChange] = field(default_factory=list)
    """The elements of the model whose values were changed, of which plugins are told."""
    lost: list[str] = field(default_factory=list)
    """Sentences about the plugins that the change has cost."""

    def attempt(self, part: Callable[[], str]) -> None:
        """Calls `part`, which makes one part of the change and returns a clause that tells of it.

        If it raises ConfigError, the part is noted as refused, with the reason.
        """
        try:
            self.done.append(part())
        except ConfigError as error:
            self.refused.append(str(error))

    def changed(self, change: ModelChange) -> None:
        """Notes that the values of an element of the model are others, once for each element."""
        if change not in self.changes:
            self.changes.append(change)

    @property
    def message(self) -> str:
        """All that was made and refused, and the plugins that it has cost, in one line."""
        return '; '.join([*self.refused, *self.done, *self.lost]) or 'nothing was asked for'
