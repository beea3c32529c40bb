"""The content of a session: the model and its source, the plugins, and the initial state."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import mujoco

from ..config import (
    Entry,
    PluginConfig,
    Refusal,
    SessionConfig,
    changed,
    read_joint_map,
    read_plugins,
    register,
)
from ..engine.resources import local_path
from ..errors import ConfigError, ModelError
from ..simulation import InitialState, ModelSource, source_at
from .world import Entity


@dataclass(frozen=True, kw_only=True, slots=True)
class Plugins:
    """The plugins of one load."""

    configs: Sequence[PluginConfig] = ()
    refusals: Sequence[Refusal] = ()
    """The entries that are not valid plugins, each with the reason."""
    missing: str = ''
    """A message that the list of plugins was not found; empty if it was found."""
    classes: Mapping[str, type[Any]] = field(default_factory=dict)
    """Maps the type names generated for `configs` to the classes that were given instead."""


class SessionContent(Protocol):
    """Provides the content of a session. Each load reads it again, on the loader thread."""

    @property
    def config(self) -> SessionConfig:
        """The current configuration."""

    def source(self) -> ModelSource:
        """Returns the source of the model. Raises ConfigError and ModelError."""

    def initial(self) -> InitialState:
        """Returns the initial joint states of the simulation."""

    def plugins(
        self, cameras: bool, entities: Sequence[Entity] = (), *, anew: bool = False
    ) -> Plugins:
        """Returns the plugins, including those of the spawned `entities`.

        Set `cameras` if images of the model can be rendered. With `anew`, the list of plugins is
        read again from its source.
        """

    def loaded(self, plugins: Sequence[Any]) -> None:
        """Receives the plugins (`HostedPlugin`) that have just started running."""


PluginList = Sequence[Mapping[str, Any] | type[Any]] | str
"""A list of structs with a `type`, YAML text of a list of this form, or a file path."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GivenContent:
    """The content that a program passes to a session.

    `changed` returns a copy with other arguments.
    """

    config: SessionConfig
    model: Any = None
    """A model for `source_of`; None: the model in the configuration."""
    listed: PluginList = ()
    """The plugins in the form that the program has given."""
    state: InitialState = field(default_factory=InitialState)
    _read: list[list[Entry]] = field(default_factory=list, repr=False, compare=False)
    """The entries as last read, kept because the list may be in a file that changes; empty before
    the first read."""

    def changed(
        self, model: Any, listed: PluginList | None, state: InitialState | None
    ) -> GivenContent:
        """Returns the content with these changes. Raises ConfigError if `model` is not a model."""
        config, made = self.config, self.model
        if is_location(model):
            config, made = changed(config, {'modelfile': os.fspath(model), 'mujoco_xml': ''}), None
        elif model is not None:
            check_model(model)
            made = model
        return GivenContent(
            config=config,
            model=made,
            listed=self.listed if listed is None else listed,
            state=state or self.state,
        )

    def source(self) -> ModelSource:
        """Returns the source of the model."""
        return model_source(self.config) if self.model is None else source_of(self.model)

    def initial(self) -> InitialState:
        """Returns the initial joint states of the simulation."""
        return self.state

    def plugins(
        self, cameras: bool, entities: Sequence[Entity] = (), *, anew: bool = False
    ) -> Plugins:
        """Returns the plugins; an entry can name a class instead of a type."""
        classes: dict[str, type[Any]] = {}
        if anew or not self._read:
            self._read[:] = [read_plugins(self.listed, local_path)]
        entries = [
            *self._read[0],
            *(entry for entity in entities for entry in entity.entries),
        ]
        named = [replace(entry, struct=_named(entry.struct, classes)) for entry in entries]
        configs, refusals = register(named)
        return Plugins(configs=configs, refusals=refusals, classes=classes)

    def loaded(self, plugins: Sequence[Any]) -> None:
        """Does nothing, because this content does not depend on the running plugins."""


def initial_state(
    positions: Mapping[str, Any] | None, velocities: Mapping[str, Any] | None
) -> InitialState:
    """Creates the initial state from joint values by name, each a number or several numbers.

    Raises ConfigError for invalid values.
    """
    return InitialState(
        positions=read_joint_map(positions or {}, 'positions'),
        velocities=read_joint_map(velocities or {}, 'velocities'),
    )


def _named(struct: Any, classes: dict[str, type[Any]]) -> Any:
    """Replaces a class in the struct with a type name, and adds the class to `classes`."""
    if isinstance(struct, type):
        struct = {'type': struct}
    if not isinstance(struct, Mapping) or not isinstance(struct.get('type'), type):
        return struct
    given = struct['type']
    name = f'{given.__module__.rpartition(".")[2].strip("_")}/{given.__name__}'
    while classes.setdefault(name, given) is not given:
        name += '_'
    return {**struct, 'type': name}


_log = logging.getLogger(__name__)
_ELEMENT = 'an mjcf.RootElement'


def model_source(config: SessionConfig) -> ModelSource:
    """Returns the source of the configured model. Raises ConfigError and ModelError."""
    if config.mujoco_xml:
        return ModelSource(xml=config.mujoco_xml)
    if not config.modelfile:
        _log.warning('neither modelfile nor mujoco_xml is set: simulating an empty world')
        return ModelSource()
    return source_at(config.modelfile, config.model_modules)


def entity_source(model: Any, config: SessionConfig) -> ModelSource:
    """Returns the source of an entity's model: an object for `source_of`, a location or XML text.

    Raises ConfigError and ModelError.
    """
    if not is_location(model):
        return source_of(model)
    text = os.fspath(model)
    if text.lstrip().startswith('<'):
        return ModelSource(xml=text, origin='the text of the entity')
    return source_at(text, config.model_modules)


def source_of(model: Any) -> ModelSource:
    """Returns the source for a model object: an element, a spec or a compiled model.

    Raises ConfigError for any other object, and ModelError for an element that cannot be written.
    """
    check_model(model)
    if isinstance(model, mujoco.MjModel):
        return ModelSource(made=model, origin='an MjModel')
    if isinstance(model, mujoco.MjSpec):
        return ModelSource(made=model, origin='an MjSpec')
    try:
        text, assets = model.to_xml_string(), model.get_assets()
    except (ValueError, OSError) as error:
        raise ModelError(f'{_ELEMENT} cannot be written: {error}') from error
    return ModelSource(xml=text, assets=assets, origin=_ELEMENT)


def check_model(model: Any) -> None:
    """Raises ConfigError if an object is not a model."""
    made = isinstance(model, mujoco.MjModel | mujoco.MjSpec)
    if not (made or (hasattr(model, 'to_xml_string') and hasattr(model, 'get_assets'))):
        kinds = f'a path, a URI, {_ELEMENT}, a mujoco.MjSpec or a mujoco.MjModel'
        raise ConfigError(f'the model must be {kinds}, got {type(model).__name__}')


def is_location(model: Any) -> bool:
    """Returns whether the model is specified by a file name or a URI."""
    return isinstance(model, str | os.PathLike)
