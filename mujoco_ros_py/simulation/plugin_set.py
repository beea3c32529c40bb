"""The plugins of a model, as the simulation calls them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

import mujoco

from ..engine import CallbackTable
from .edits.edit import ModelChange


class PluginSet(Protocol):
    """The plugins of one load; all their methods are called on the physics thread."""

    def join(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        before: PluginSet,
        *,
        beside: bool = False,
    ) -> None:
        """Takes over what can stay, as the simulation goes on with a changed model.

        `load` follows, once the other old plugins are unloaded. With `beside` the new
        plugins are loaded here already; if that raises, nothing has changed.
        """

    def take_over(self, before: PluginSet) -> None:
        """Takes over what can stay from the plugins that are unloaded next."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> CallbackTable:
        """Loads the plugins, once initial joint states are applied; returns their callbacks."""

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Is called when the callbacks are in use and the previous plugins are unloaded."""

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Is called when the data are back at the start."""

    def model_changed(
        self, model: mujoco.MjModel, data: mujoco.MjData, changes: Sequence[ModelChange]
    ) -> None:
        """Is called when values of the model are others, and the data have followed."""

    def save(self) -> Mapping[str, Any]:
        """Returns the part of the state that each plugin has, by its name."""

    def check_saved(self, saved: Mapping[str, Any]) -> None:
        """Raises SimulationError for parts that do not fit, and restores nothing."""

    def restore(self, saved: Mapping[str, Any]) -> list[str]:
        """Restores what `save` returned, once the data are restored; returns what did not fit."""

    def unload(self) -> None:
        """Unloads the plugins, as the model is replaced or the simulation ends."""

    def describe(self, callback: int) -> str:
        """Returns the name of a callback of the table, for a message."""

    @property
    def refusals(self) -> Sequence[str]:
        """A sentence for each plugin that is not ready, with the reason."""

    def lost(self, before: Collection[str]) -> list[str]:
        """Returns sentences about plugins that are not ready, unless `before` has all of them."""


class NoPlugins:
    """The plugins of a model that has none."""

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
        """Accepts all parts, as no plugin takes them."""

    def restore(self, saved: Mapping[str, Any]) -> list[str]:
        """Returns a sentence for each part, as no plugin takes it."""
        return [f'{name!r}, whose state was saved, is not there' for name in saved]

    def unload(self) -> None:
        """Does nothing."""

    def describe(self, callback: int) -> str:
        """Returns a name made from the number."""
        return f'callback {callback}'

    @property
    def refusals(self) -> Sequence[str]:
        """Nothing."""
        return ()

    def lost(self, before: Collection[str]) -> list[str]:
        """Returns an empty list."""
        return []
