"""Where the model comes from, as the parameters say."""

from __future__ import annotations

import logging

from ..config import ServerConfig
from ..engine.resources import local_path, provides
from ..simulation import ModelSource, compose, is_factory

_log = logging.getLogger(__name__)


def model_source(config: ServerConfig) -> ModelSource:
    """A text, a file, or what a function makes. Raises ConfigError and ModelError."""
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
