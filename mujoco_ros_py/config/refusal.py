"""What is left out, and why, while the rest goes on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """One entry that is not used; as a string: a sentence for the log."""

    place: str
    """The place of the entry: ``MujocoPlugins[2]``."""
    reason: str

    def __str__(self) -> str:
        return f'{self.place}: {self.reason}'
