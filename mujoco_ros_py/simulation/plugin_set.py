"""The interface through which the simulation calls the plugins of a model."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

import mujoco

from ..engine import CallbackTable
from .edits.edit import ModelChange


class PluginSet(Protocol):
    """The plugins of one load. The simulation calls all methods on the physics thread."""

    def restore_model(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Restores values that plugins have changed, before other changes move to a new model."""

    def join(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        before: PluginSet,
        *,
        beside: bool = False,
    ) -> None:
        """Takes over the plugins that can stay when a running model is changed.

        The simulation then unloads the other old plugins, and calls `load`. With `beside`, this
        method already loads the new plugins; if it raises, nothing has changed.
        """

    def take_over(self, before: PluginSet) -> None:
        """Takes over the plugins that can stay, before the others are unloaded."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> CallbackTable:
        """Loads the plugins after initial joint states are applied; returns their callbacks."""

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Called when the callbacks are in use and the previous plugins are unloaded."""

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Called when the data has been reset."""

    def model_changed(
        self, model: mujoco.MjModel, data: mujoco.MjData, changes: Sequence[ModelChange]
    ) -> None:
        """Called when values of the model have changed and the data is updated."""

    def save(self) -> Mapping[str, Any]:
        """Returns the saved state of each plugin, by plugin name."""

    def check_saved(self, saved: Mapping[str, Any]) -> None:
        """Raises SimulationError if a saved state does not fit its plugin; restores nothing."""

    def restore(self, saved: Mapping[str, Any]) -> list[str]:
        """Restores the result of `save`; returns a message for each state that does not fit.

        The data has already been restored.
        """

    def unload(self) -> None:
        """Unloads the plugins, because the model is replaced or the simulation ends."""

    def describe(self, callback: int) -> str:
        """Returns the name of a callback of the table, for messages."""

    @property
    def refusals(self) -> Sequence[str]:
        """A message with the reason for each plugin that is not ready."""

    def lost(self, before: Collection[str]) -> list[str]:
        """Returns messages about plugins that failed since `before`, an earlier `refusals`."""


class NoPlugins:
    """An empty set of plugins."""

    def restore_model(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Does nothing."""

    def join(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        before: PluginSet,
        *,
        beside: bool = False,
    ) -> None:
        """Takes over nothing."""

    def take_over(self, before: PluginSet) -> None:
        """Takes over nothing."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> CallbackTable:
        """Returns a table without callbacks."""
        return CallbackTable()

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Does nothing."""

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Does nothing."""

    def model_changed(
        self, model: mujoco.MjModel, data: mujoco.MjData, changes: Sequence[ModelChange]
    ) -> None:
        """Does nothing."""

    def save(self) -> Mapping[str, Any]:
        """Returns an empty mapping."""
        return {}

    def check_saved(self, saved: Mapping[str, Any]) -> None:
        """Accepts everything: `restore` ignores saved states."""

    def restore(self, saved: Mapping[str, Any]) -> list[str]:
        """Returns a message for each saved state: its plugin is missing."""
        return [f'plugin {name!r} has a saved state, but is not loaded' for name in saved]

    def unload(self) -> None:
        """Does nothing."""

    def describe(self, callback: int) -> str:
        """Returns a name made from the number."""
        return f'callback {callback}'

    @property
    def refusals(self) -> Sequence[str]:
        """Always empty."""
        return ()

    def lost(self, before: Collection[str]) -> list[str]:
        """Returns an empty list."""
        return []
