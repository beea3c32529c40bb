"""Reads a scenario file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..config import ServerConfig, parameters_of, read
from ..config.wording import kind, unknown
from ..config.yaml_text import read_yaml_file, read_yaml_struct
from ..engine.resources import local_path
from ..errors import ConfigError
from .run_measures import RunExpression
from .run_spec import RunSpec
from .run_values import values_of_runs
from .scenarios import Judge, Scenarios
from .value_places import check_place, put_into_plugins

_PARAMETERS = {*parameters_of(ServerConfig), 'cam_config', 'qos_overrides'}


def read_scenarios(path: Path) -> Scenarios:
    """Reads a scenario file. Raises ConfigError with file, location and violated rule."""
    return read(Scenarios, read_yaml_struct(path), str(path))


def runs_of(scenarios: Scenarios, path: Path) -> list[RunSpec]:
    """Returns the specification of each run; `path` is the scenario file.

    Raises ConfigError for each error that can be found without the model.
    """
    try:
        return _runs(scenarios, path.absolute().parent)
    except ConfigError as error:
        raise ConfigError(f'{path}: {error}') from None


def _runs(scenarios: Scenarios, folder: Path) -> list[RunSpec]:
    for name in scenarios.parameters:
        if name.partition('.')[0] not in _PARAMETERS:
            raise ConfigError(f'parameters: {unknown("parameter", name, _PARAMETERS)}')
    common: dict[str, Any] = {
        'folder': str(folder),
        'model': _model(scenarios.model, folder),
        'plugins': _plugins(scenarios.plugins, folder),
        'parameters': dict(scenarios.parameters),
        'positions': dict(scenarios.positions),
        'velocities': dict(scenarios.velocities),
        'controllers': [list(words) for words in scenarios.commands],
        'doubles': [],
        'success': _as_written(scenarios.success, folder),
        'until': asdict(scenarios.until),
        **{name: getattr(scenarios, name) for name in _COPIED},
        'measures': dict(scenarios.measures),
        'topics': list(scenarios.topics),
    }
    made = [
        RunSpec(number=number, values=values, **common)
        for number, values in enumerate(values_of_runs(scenarios))
    ]
    for name in {name for spec in made for name in spec.values}:
        check_place(name, _PARAMETERS)
    for spec in made:
        put_into_plugins(spec)
        spec.commands('python')
    for where, text in made[0].expressions():
        RunExpression(text, where, made[0].values)
    return made


_COPIED = (
    *('ros_arguments', 'check_period', 'time_limit', 'stall_limit', 'retries', 'cpus'),
    *('max_recording', 'keep'),
)


def _as_written(success: str | Judge, folder: Path) -> Any:
    if isinstance(success, Judge) and success.test:
        path = folder / success.test.partition('::')[0]
        if not path.is_file():
            raise ConfigError(f'success.test: {path}: no such file')
    return success if isinstance(success, str) else asdict(success)


def _model(model: str, folder: Path) -> str:
    """Returns the model with its path made absolute."""
    scheme = model.partition(':')[0]
    if not model or (len(scheme) > 1 and ':' in model):
        return model
    path = folder / os.path.expanduser(model)
    if not path.exists():
        raise ConfigError(f'model: {path}: no such file')
    return str(path)


def _plugins(given: Any, folder: Path) -> list[Any]:
    """Returns the plugins' configurations; `given` is a list or the path of a YAML file."""
    if not isinstance(given, str):
        return [dict(each) for each in given]
    path = folder / local_path(given)
    struct = read_yaml_file(path)
    if isinstance(struct, Mapping) and set(struct) == {'MujocoPlugins'}:
        struct = struct['MujocoPlugins']
    if not isinstance(struct, list) or not all(isinstance(each, Mapping) for each in struct):
        raise ConfigError(f'{path} must be a list of structs, got {kind(struct)}')
    return struct
