"""Applies a run's values to elements of the model, plugins, parameters and joints."""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator
from typing import Any
from urllib.parse import urlencode

from .. import mjcf
from ..config import read_list, register, with_value
from ..config.wording import unknown
from ..engine.resources import local_path
from ..errors import ConfigError, MjcfKeyError, MujocoRosError
from ..mjcf.places import ONCE
from ..simulation import compose, is_factory
from .run_spec import RunSpec

PLACES = 'plugins', 'parameters', 'positions', 'velocities', 'factory'
"""The first words of value names that do not refer to elements of the model."""


def check_place(name: str, parameters: Collection[str]) -> None:
    """Raises ConfigError for a value name that is invalid for every model."""
    first, dot, rest = name.partition('.')
    if not dot:
        if not name.isidentifier():
            raise ConfigError(
                f'the name of a value must be a word, or contain a dot; got {name!r}'
            )
    elif not rest or not first or name.endswith('.'):
        raise ConfigError(f'{name!r} must have words on both sides of its dots')
    elif first == 'parameters' and rest.partition('.')[0] not in parameters:
        raise ConfigError(f'{name}: {unknown("parameter", rest, parameters)}')


def of_place(spec: RunSpec, place: str) -> dict[str, Any]:
    """Returns the values whose names start with `place.`, by the rest of the name."""
    lead = f'{place}.'
    return {
        name.removeprefix(lead): value
        for name, value in spec.values.items()
        if name.startswith(lead)
    }


def joints_of(spec: RunSpec) -> dict[str, dict[str, Any]]:
    """Returns the initial `positions` and `velocities` of a run's joints."""
    return {
        'positions': {**spec.positions, **of_place(spec, 'positions')},
        'velocities': {**spec.velocities, **of_place(spec, 'velocities')},
    }


def put_into_plugins(spec: RunSpec) -> list[Any]:
    """Returns the plugins' configurations with the run's values inserted.

    Raises ConfigError for an unknown plugin.
    """
    plugins = copy.deepcopy(spec.plugins)
    given = of_place(spec, 'plugins')
    if not given:
        return plugins
    named = dict(_named(plugins))
    for name, value in given.items():
        owner = next((each for each in named if name.startswith(f'{each}.')), None)
        if owner is None:
            raise ConfigError(f'plugins.{name}: {unknown("plugin", name.split(".")[0], named)}')
        struct = named[owner]
        struct.update(with_value(struct, name.removeprefix(f'{owner}.'), value))
    return plugins


def _named(plugins: list[Any]) -> Iterator[tuple[str, Any]]:
    """Yields each plugin's name and configuration, including the plugins in groups."""
    for struct in plugins:
        if 'plugins' in struct:
            for name, inner in _named(struct['plugins']):
                yield f'{struct.get("namespace", "")}/{name}', inner
            continue
        accepted, _ = register(read_list([struct], 'plugins'))
        for each in accepted:
            yield each.name, struct


def model_of(spec: RunSpec) -> Any:
    """Returns the run's model: its path or URI, or an edited model if values change elements.

    Raises ConfigError for an unknown element or attribute, and ModelError.
    """
    place = spec.model
    if is_factory(place) and (arguments := of_place(spec, 'factory')):
        query = urlencode({name: _as_text(value) for name, value in arguments.items()})
        place = f'{place}{"&" if "?" in place else "?"}{query}'
    edits = {
        name: value
        for name, value in spec.values.items()
        if '.' in name and name.partition('.')[0] not in PLACES
    }
    if not edits:
        return place or None
    root = _read(place, spec)
    for name, value in edits.items():
        _set(root, name, value)
    return root


def modules_of(spec: RunSpec) -> tuple[str, ...]:
    """Returns the modules allowed to make the model: `model_modules` and the model's own."""
    given = tuple(spec.parameters.get('model_modules', ()))
    if not is_factory(spec.model):
        return given
    return (*given, spec.model.partition('://')[2].partition(':')[0])


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read(place: str, spec: RunSpec) -> Any:
    if is_factory(place):
        source = compose(place, modules_of(spec))
        return mjcf.from_xml_string(source.xml, assets=dict(source.assets))
    try:
        return mjcf.from_path(local_path(place))
    except OSError as error:
        raise ConfigError(f'model: {place}: {error.strerror or error}') from None


def _set(root: Any, name: str, value: object) -> None:
    """Sets an attribute by name: `floor.friction`, `geom:floor.size`, `option.timestep`."""
    try:
        mjcf.set_place(root, name, value)
    except MjcfKeyError as error:
        first = ', '.join((*PLACES, *ONCE))
        raise ConfigError(f'{error}; other names start with one of {first}') from None
    except (MujocoRosError, ValueError, AttributeError, TypeError) as error:
        told = str(error)
        raise ConfigError(told if told.startswith(name) else f'{name}: {told}') from None
