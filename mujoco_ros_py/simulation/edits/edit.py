"""Records which parts of a change to a model or its state were applied or refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from ...errors import ConfigError


@dataclass(frozen=True, slots=True)
class ModelChange:
    """An element of the model whose values were changed while the model was running."""

    kind: Literal['body', 'geom', 'equality', 'gravity', 'option']
    """The kind of the element; `gravity` and `option` belong to the whole model."""
    number: int = 0
    """The id of the element."""


@dataclass(slots=True)
class Edit:
    """The applied and the refused parts of a change."""

    done: list[str] = field(default_factory=list)
    """A clause for each applied part: `pose of body 'cube' set`."""
    refused: list[str] = field(default_factory=list)
    """A message with the reason for each refused part."""
    changes: list[ModelChange] = field(default_factory=list)
    """The changed elements of the model. Plugins are notified of these."""
    lost: list[str] = field(default_factory=list)
    """Messages about the plugins that failed because of the change."""

    def attempt(self, part: Callable[[], str]) -> None:
        """Calls `part`, which applies one part of the change and returns a clause for `done`.

        If it raises ConfigError, adds the reason to `refused`.
        """
        try:
            self.done.append(part())
        except ConfigError as error:
            self.refused.append(str(error))

    def changed(self, change: ModelChange) -> None:
        """Adds an element of the model to `changes`, unless it is already there."""
        if change not in self.changes:
            self.changes.append(change)

    @property
    def message(self) -> str:
        """A summary of refused and applied parts and failed plugins, in one line."""
        return '; '.join([*self.refused, *self.done, *self.lost]) or 'nothing was requested'
