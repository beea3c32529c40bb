"""Values of the model and of plugins that differ between worlds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import mujoco
import numpy as np

from ...config import PluginConfig
from ...config.wording import shown, unknown
from ...errors import ConfigError

Array = np.ndarray[Any, np.dtype[Any]]
_OPTIONS = 'opt.'


class ModelValues:
    """Checked values for fields of the model, with one row per world."""

    def __init__(self, model: mujoco.MjModel, given: Mapping[str, Any], worlds: int) -> None:
        """Raises ConfigError for an unknown field, and for values of the wrong type or shape."""
        _check_mapping('model_values', given)
        self._arrays = {
            name: _checked(model, name, value, worlds) for name, value in given.items()
        }

    def __bool__(self) -> bool:
        return bool(self._arrays)

    def write(self, model: mujoco.MjModel, world: int) -> None:
        """Writes a world's values into its model, and recomputes the derived constants."""
        for name, array in self._arrays.items():
            if name.startswith(_OPTIONS):
                _set_option(model, name.removeprefix(_OPTIONS), array[world])
            else:
                getattr(model, name)[:] = array[world]
        if self._arrays:
            mujoco.mj_setConst(model, mujoco.MjData(model))


class PluginValues:
    """Values of plugin configurations, one per world."""

    def __init__(
        self,
        plugins: Sequence[PluginConfig],
        given: Mapping[str, Mapping[str, Any]],
        worlds: int,
    ) -> None:
        """Raises ConfigError for an unknown plugin, or if a key lacks values for some worlds."""
        _check_mapping('plugin_values', given)
        known = [each.name for each in plugins]
        for name, values in given.items():
            if name not in known:
                raise ConfigError(f'plugin_values: {unknown("plugin", name, known)}')
            _check_mapping(f'plugin_values: {name}', values)
            _check_lengths(f'plugin_values: {name}', values, worlds)
        self._given = given

    def of(self, world: int) -> dict[str, dict[str, Any]]:
        """Returns a world's values, by plugin and key."""
        return {name: _picked(values, world) for name, values in self._given.items()}


def _check_mapping(where: str, given: object) -> None:
    if not isinstance(given, Mapping):
        raise ConfigError(f'{where} must have values by name, got {shown(given)}')


def _checked(model: mujoco.MjModel, name: str, value: object, worlds: int) -> Array:
    here = f'model_values: {name}'
    known = _fields(model)
    if name not in known:
        raise ConfigError(f'model_values: {unknown("field of the model", name, known)}')
    array, shape = np.asarray(value), (worlds, *np.shape(known[name]))
    if array.shape != shape:
        raise ConfigError(f'{here} must have the shape {shape}, got {array.shape}')
    if array.dtype.kind not in 'biuf' or not np.isfinite(array).all():
        raise ConfigError(f'{here} must have finite numbers only')
    return array


def _fields(model: mujoco.MjModel) -> dict[str, Any]:
    """Returns the settable fields with their values: only floats, as integers can be indices."""
    found = {}
    for owner, prefix in ((model, ''), (model.opt, _OPTIONS)):
        for name in dir(owner):
            value = None if name.startswith('_') else getattr(owner, name)
            if isinstance(value, float) or (
                isinstance(value, np.ndarray) and value.dtype.kind == 'f'
            ):
                found[prefix + name] = value
    return found


def _set_option(model: mujoco.MjModel, name: str, value: Any) -> None:
    if np.ndim(value):
        getattr(model.opt, name)[:] = value
    else:
        setattr(model.opt, name, float(value))


def _check_lengths(here: str, value: object, worlds: int) -> None:
    if isinstance(value, Mapping):
        for key, each in value.items():
            _check_lengths(f'{here}.{key}', each, worlds)
    elif not isinstance(value, Sequence | np.ndarray) or isinstance(value, str):
        raise ConfigError(f'{here} must have a value for each world, got {value!r}')
    elif len(value) != worlds:
        raise ConfigError(
            f'{here} must have a value for each of the {worlds} worlds, got {len(value)}'
        )


def _picked(value: Any, world: int) -> Any:
    if isinstance(value, Mapping):
        return {key: _picked(each, world) for key, each in value.items()}
    picked = value[world]
    return picked.tolist() if isinstance(picked, np.ndarray | np.generic) else picked
