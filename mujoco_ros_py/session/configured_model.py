"""The source of the model of a session, from its configuration or from a given model."""

from __future__ import annotations

import logging
import os
from typing import Any

import mujoco

from ..config import SessionConfig
from ..engine.resources import local_path, provides
from ..errors import ConfigError, ModelError
from ..simulation import ModelSource, compose, is_factory

_log = logging.getLogger(__name__)
_ELEMENT = 'an mjcf.RootElement'


def model_source(config: SessionConfig) -> ModelSource:
    """Returns the source that the configuration names. Raises ConfigError and ModelError."""
    if config.mujoco_xml:
        return ModelSource(xml=config.mujoco_xml)
    path = config.modelfile
    if not path:
        _log.warning('neither modelfile nor mujoco_xml is set: simulating an empty world')
    elif is_factory(path):
        return compose(path, config.model_modules)
    elif not provides(path):
        path = str(local_path(path))
    return ModelSource(path=path)


def entity_source(model: Any, config: SessionConfig) -> ModelSource:
    """Returns the model of an entity as a source: what `source_of` takes, a place, or a text.

    Raises ConfigError and ModelError.
    """
    if not is_place(model):
        return source_of(model)
    text = os.fspath(model)
    if text.lstrip().startswith('<'):
        return ModelSource(xml=text, origin='the text of the entity')
    if is_factory(text):
        return compose(text, config.model_modules)
    return ModelSource(path=text if provides(text) else str(local_path(text)))


def source_of(model: Any) -> ModelSource:
    """Returns a model that the caller has as a source: an element, a spec or a compiled model.

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
        raise ModelError(f'{_ELEMENT} that cannot be written: {error}') from error
    return ModelSource(xml=text, assets=assets, origin=_ELEMENT)


def check_model(model: Any) -> None:
    """Raises ConfigError for an object that is no model."""
    made = isinstance(model, mujoco.MjModel | mujoco.MjSpec)
    if not (made or (hasattr(model, 'to_xml_string') and hasattr(model, 'get_assets'))):
        kinds = f'a path, a URI, {_ELEMENT}, a mujoco.MjSpec or a mujoco.MjModel'
        raise ConfigError(f'the model must be {kinds}, got {type(model).__name__}')


def is_place(model: Any) -> bool:
    """Returns whether the model is given by the name of a file or a URI."""
    return isinstance(model, str | os.PathLike)
