"""What a session runs: a model, the plugins beside it, and the state that it begins with."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from ..config import (
    PluginConfig,
    Refusal,
    SessionConfig,
    changed,
    read_joint_map,
    read_plugins,
    register,
)
from ..engine.resources import local_path
from ..simulation import InitialState, ModelSource
from .configured_model import is_place, model_source, source_of


@dataclass(frozen=True, kw_only=True, slots=True)
class Plugins:
    """The plugins of one load."""

    configs: Sequence[PluginConfig] = ()
    refusals: Sequence[Refusal] = ()
    """The entries that are none, each with the reason."""
    classes: Mapping[str, type[Any]] = field(default_factory=dict)
    """Classes that were given themselves, by the type that stands for them in `configs`."""


class SessionContent(Protocol):
    """Where a session's model and plugins come from; asked anew by each load, on its thread."""

    @property
    def config(self) -> SessionConfig:
        """The settings as they are now."""

    def source(self) -> ModelSource:
        """The model. Raises ConfigError and ModelError."""

    def initial(self) -> InitialState:
        """The joint states that the simulation begins with."""

    def plugins(self, cameras: bool) -> Plugins:
        """The plugins; `cameras`: the model has cameras, and images can be made."""

    def loaded(self, plugins: Sequence[Any]) -> None:
        """These plugins (`HostedPlugin`) were configured, and run from now on."""


PluginList = Sequence[Mapping[str, Any] | type[Any]] | str
"""A list of structs, each with a `type`; or YAML text of such a list, or the path of a file."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GivenContent:
    """The content of a session that a program makes; for a reload it makes another one."""

    config: SessionConfig
    model: Any = None
    """What there is already, for `source_of`; None: what the configuration names."""
    listed: PluginList = ()
    """The plugins."""
    state: InitialState = field(default_factory=InitialState)

    def changed(
        self, model: Any, listed: PluginList | None, state: InitialState | None
    ) -> GivenContent:
        """The same with what is given here. Raises ConfigError for what is no model."""
        config, made = self.config, self.model
        if is_place(model):
            config, made = changed(config, {'modelfile': os.fspath(model), 'mujoco_xml': ''}), None
        elif model is not None:
            source_of(model)
            made = model
        return GivenContent(
            config=config,
            model=made,
            listed=self.listed if listed is None else listed,
            state=state or self.state,
        )

    def source(self) -> ModelSource:
        """The model."""
        return model_source(self.config) if self.model is None else source_of(self.model)

    def initial(self) -> InitialState:
        """The joint states that the simulation begins with."""
        return self.state

    def plugins(self, cameras: bool) -> Plugins:
        """The plugins; a class may stand where the name of a type does."""
        classes: dict[str, type[Any]] = {}
        entries = read_plugins(self.listed, local_path)
        named = [replace(entry, struct=_named(entry.struct, classes)) for entry in entries]
        configs, refusals = register(named)
        return Plugins(configs=configs, refusals=refusals, classes=classes)

    def loaded(self, plugins: Sequence[Any]) -> None:
        """Nobody else keeps their settings."""


def initial_state(
    positions: Mapping[str, Any] | None, velocities: Mapping[str, Any] | None
) -> InitialState:
    """Values by the name of the joint, each a number or several. Raises ConfigError."""
    return InitialState(
        positions=read_joint_map(positions or {}, 'positions'),
        velocities=read_joint_map(velocities or {}, 'velocities'),
    )


def _named(struct: Any, classes: dict[str, type[Any]]) -> Any:
    """The struct with a type of the form package/Class; that of a class leads back to it."""
    if isinstance(struct, type):
        struct = {'type': struct}
    if not isinstance(struct, Mapping) or not isinstance(struct.get('type'), type):
        return struct
    given = struct['type']
    name = f'{given.__module__.rpartition(".")[2].strip("_")}/{given.__name__}'
    while classes.setdefault(name, given) is not given:
        name += '_'
    return {**struct, 'type': name}
