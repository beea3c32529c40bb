"""Reads the file of parameters of an identification."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from ..config import parameters_of, read
from ..config.wording import unknown
from ..config.yaml_text import read_yaml_struct
from ..errors import ConfigError
from .identify import Question
from .measurements import MeasurementOptions
from .options import FitOptions

GOALS = 'goals'
_Options = TypeVar('_Options', FitOptions, MeasurementOptions)


def read_question(
    files: Iterable[Path],
    model: Path,
    *,
    plugins: str = '',
    parameters: Path | None = None,
    **given: Any,
) -> Question:
    """Reads the question from a file of parameters; `given` replaces keys of the file.

    The keys are those of `FitOptions` and `MeasurementOptions`, and `goals`. Raises ConfigError
    with file, key and rule.
    """
    struct = {} if parameters is None else read_yaml_struct(parameters)
    where = str(parameters or '')
    known = [*parameters_of(FitOptions), *parameters_of(MeasurementOptions), GOALS]
    for key in struct:
        if key not in known:
            raise ConfigError(f'{where}: {unknown("key", key, known)}')
    goals = struct.get(GOALS, {})
    if not isinstance(goals, Mapping) or not all(isinstance(each, str) for each in goals.values()):
        raise ConfigError(f'{where}: goals must have the name of a plugin for each topic')
    if goals and not plugins:
        raise ConfigError(f'{where}: goals needs --plugins, which follow them')
    return Question(
        files=tuple(files),
        model=model,
        plugins=plugins,
        goals={str(topic): str(name) for topic, name in goals.items()},
        fit=_options(FitOptions, struct, given, where),
        measurements=_options(MeasurementOptions, struct, given, where),
    )


def _options(
    cls: type[_Options], struct: Mapping[str, Any], given: Mapping[str, Any], where: str
) -> _Options:
    names = parameters_of(cls)
    values = {**struct, **{key: value for key, value in given.items() if value not in (None, ())}}
    return read(cls, {key: value for key, value in values.items() if key in names}, where)
