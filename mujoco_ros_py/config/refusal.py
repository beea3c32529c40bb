"""Describes entries that are left out while the rest is used."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused entry with its reason; as a string it is a sentence for the log."""

    place: str
    """The place of the entry: ``MujocoPlugins[2]``."""
    reason: str

    def __str__(self) -> str:
        return f'{self.place}: {self.reason}'
