"""What a simulation asks of those above it: plugins, and whoever reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import mujoco

from ..engine import CallbackTable


class PluginSet(Protocol):
    """What is attached to a model while it is loaded. All calls come on the physics thread."""

    def take_over(self, before: PluginSet) -> None:
        """These follow on `before`, which is unloaded next: what can stay is taken over now."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> CallbackTable:
        """The model is there, initial joint states are applied; returns the callbacks to run."""

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """The callbacks are in use, and nothing of what was attached before is left."""

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """The data are back at the start."""

    def save(self) -> Mapping[str, Any]:
        """What of the state is theirs, by name."""

    def restore(self, saved: Mapping[str, Any]) -> list[str]:
        """The data are those of the moment in which `save` returned this; what did not fit."""

    def unload(self) -> None:
        """The model goes, or the simulation ends."""

    def describe(self, callback: int) -> str:
        """Names a callback of the table for a message."""


class NoPlugins:
    """A model without plugins."""

    def take_over(self, before: PluginSet) -> None:
        """Nothing stays."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> CallbackTable:
        """No callbacks."""
        return CallbackTable()

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Nothing to tell."""

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Nothing to tell."""

    def save(self) -> Mapping[str, Any]:
        """Nothing is saved."""
        return {}

    def restore(self, saved: Mapping[str, Any]) -> list[str]:
        """A sentence for each part, as nothing takes it."""
        return [f'{name!r}, whose state was saved, is not there' for name in saved]

    def unload(self) -> None:
        """Nothing to tell."""

    def describe(self, callback: int) -> str:
        """There is none to describe."""
        return f'callback {callback}'
