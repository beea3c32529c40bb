"""Converts saved states to bytes and back, to store them or to send them to other servers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import numpy as np

from ...config.wording import shown
from ...errors import ConfigError, SimulationError
from .plain_values import read_value, write_value
from .saved import SavedState

_TITLE = b'mujoco_ros_py state 1\n'
_DIGEST_SIZE = 16
_FIELDS = {'integration', 'model', 'plugins'}


def write_state(saved: SavedState) -> bytes:
    """Returns the state as bytes.

    Raises SimulationError if the part of a plugin contains anything but plain values; see
    `write_value`.
    """
    plugins = {name: _part(name, part) for name, part in saved.plugins.items()}
    body = write_value(
        {'integration': saved.integration, 'model': dict(saved.model), 'plugins': plugins}
    )
    return _TITLE + _digest(body) + body


def read_state(written: bytes) -> SavedState:
    """Returns the state that `write_state` has written.

    Raises SimulationError if the bytes are not a state, or are damaged. Does not check whether the
    state fits a model; see `check_state`.
    """
    if not written.startswith(_TITLE):
        came = 'nothing' if not written else f'{shown(bytes(written[: len(_TITLE)]))} …'
        raise SimulationError(f'a state must begin with {_TITLE!r}, got {came}')
    start = len(_TITLE) + _DIGEST_SIZE
    digest, body = written[len(_TITLE) : start], written[start:]
    if digest != _digest(body):
        raise SimulationError('the state was damaged: its checksum does not match')
    try:
        return _state(read_value(body))
    except ConfigError as error:
        raise SimulationError(f'the state cannot be read: {error}') from None


def _digest(body: bytes) -> bytes:
    return blake2b(body, digest_size=_DIGEST_SIZE).digest()


def _part(name: str, part: Any) -> bytes:
    """Returns the part of a plugin as bytes; an error contains the name of the plugin."""
    try:
        return write_value(part)
    except ConfigError as error:
        raise SimulationError(
            f'the state cannot be written, because plugin {name!r} saves more than plain values:'
            f' {error}'
        ) from None


def _state(value: Any) -> SavedState:
    if not isinstance(value, dict) or set(value) != _FIELDS:
        raise ConfigError(f'the state must have {", ".join(sorted(_FIELDS))}, got {shown(value)}')
    integration, model, plugins = value['integration'], value['model'], value['plugins']
    if not isinstance(integration, np.ndarray) or integration.dtype != np.float64:
        raise ConfigError(f'integration must be an array of float64, got {shown(integration)}')
    if integration.ndim != 1 or not integration.size or not math.isfinite(integration[0]):
        raise ConfigError('integration must have one dimension, and begin with a finite time')
    if not isinstance(plugins, dict) or not all(type(p) is bytes for p in plugins.values()):
        raise ConfigError(f'plugins must map names to bytes, got {shown(plugins)}')
    if not _is_layout(model):
        raise ConfigError(f'model must map names to sizes or names, got {shown(model)}')
    if not all(isinstance(name, str) for name in plugins):
        raise ConfigError(f'the names in plugins must be strings, got {shown(plugins)}')
    parts = {name: read_value(part) for name, part in plugins.items()}
    return SavedState(
        time=float(integration[0]), integration=integration, model=model, plugins=parts
    )


def _is_layout(model: Any) -> bool:
    """Returns whether a value is a mapping from names to sizes or to names of objects."""
    return isinstance(model, Mapping) and all(
        isinstance(kind, str)
        and (type(of) is int or (type(of) is tuple and all(isinstance(each, str) for each in of)))
        for kind, of in model.items()
    )
