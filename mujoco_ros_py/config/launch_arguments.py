"""The arguments of `server.launch.py`: all server parameters, and a few more."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Any, get_args

from ..errors import ConfigError
from .parameter import Parameter, parameters_of
from .server import ServerConfig
from .value_conversion import converted, in_words
from .wording import unknown
from .yaml_text import load_yaml

LOG_LEVELS = ('debug', 'info', 'warn', 'error', 'fatal')
_JOINT_MAPS = {
    'initial_joint_positions': "Positions at load and reset, as in '{joint1: 0.5}'.",
    'initial_joint_velocities': "Velocities at load and reset, as in '{joint1: 0.1}'.",
}
_OTHERS = {
    'use_sim_time': "Let the server's own node use /clock, which the server publishes.",
    'params_file': 'Parameter file of the server; the other arguments override it.',
    'plugin_config': 'YAML file with the plugins: a list, or a parameter file.',
    'namespace': 'Namespace of the server.',
    'enclave': 'Security enclave of the server, such as /mujoco/server.',
    'log_level': f'Severity of the log: {", ".join(LOG_LEVELS)}.',
}
_OF_LAUNCH = ('launch-prefix', 'launch-prefix-filter')
_NEAR = 0.85
"""How similar a name must be to an argument, from 0 to 1, to count as a misspelling."""


def launch_arguments() -> dict[str, str]:
    """Returns the descriptions of all arguments by name; all defaults are empty."""
    rows = parameters_of(ServerConfig)
    described = {name: _description(row) for name, row in rows.items()}
    return described | _JOINT_MAPS | _OTHERS


def parameter_values(given: Mapping[str, str]) -> dict[str, Any]:
    """Converts launch arguments to parameters; empty arguments count as not given.

    Raises ConfigError for an invalid value.
    """
    rows = parameters_of(ServerConfig)
    values = {name: _value(rows[name], name, text) for name, text in given.items() if name in rows}
    if 'use_sim_time' in given:
        values['use_sim_time'] = _converted(bool, 'use_sim_time', given['use_sim_time'])
    return values | {name: _joint_map(name, given[name]) for name in _JOINT_MAPS if name in given}


def check_names(given: Iterable[str], declared: Collection[str], typed: Collection[str]) -> None:
    """Raises ConfigError for an argument that no launch file declares.

    `declared` has the arguments of all running launch files, `given` all arguments with a value.
    Another launch file may set more arguments for its own use. A name that was not `typed` on the
    command line is therefore refused only if it resembles an argument of the server.
    """
    own = launch_arguments()
    for name in given:
        if name in own or name in declared or name in _OF_LAUNCH:
            continue
        if name in typed or get_close_matches(name, own, n=1, cutoff=_NEAR):
            raise ConfigError(unknown('launch argument', name, own))


def log_level(text: str) -> str:
    """Returns the log level. Raises ConfigError for an unknown level."""
    if text.lower() not in LOG_LEVELS:
        raise ConfigError(f'log_level must be one of {", ".join(LOG_LEVELS)}, got {text!r}')
    return text


def _description(row: Parameter[Any]) -> str:
    rule = f' {row.rule}{" " + row.unit if row.unit else ""};' if row.rule else ''
    default = 'none' if row.default in ('', ()) else row.default
    shown = str(default).lower() if isinstance(default, bool) else default
    return f'{row.description} ({in_words(row.hint)};{rule} default: {shown})'


def _value(row: Parameter[Any], name: str, text: str) -> Any:
    value = _converted(row.hint, name, text)
    row.check(name, value)
    return list(value) if isinstance(value, tuple) else value


def _converted(hint: object, name: str, text: str) -> Any:
    """Converts the text of an argument; lists are in brackets or separated by blanks."""
    if hint is str:
        return text
    try:
        if hint is float:
            return float(text)  # in YAML, 1e3 would be a string
        value = _list(hint, text) if get_args(hint) else load_yaml(text, name)
        return converted(hint, name, value, _no_struct)
    except (ConfigError, ValueError):
        raise ConfigError(f'{name} must be {in_words(hint)}, got {text!r}') from None


def _list(hint: object, text: str) -> Any:
    if text.lstrip().startswith('['):
        return load_yaml(text, 'the list')
    each = get_args(hint)[0]
    return [word if each is str else load_yaml(word, word) for word in text.split()]


def _no_struct(hint: object, values: Mapping[str, object], where: str) -> Any:
    raise ConfigError(f'{where} takes no struct')


def _joint_map(name: str, text: str) -> dict[str, dict[str, float | list[float]]]:
    """Returns a joint map with floats only, because ROS refuses a list that mixes 0 and 0.5."""
    joints = load_yaml(text, name)
    if not isinstance(joints, dict):
        raise ConfigError(
            f"{name} must map joints to numbers, as in '{{joint1: 0.5}}', got {text!r}"
        )
    numbers: dict[str, float | list[float]] = {}
    for joint, value in joints.items():
        where = f'{name}, {joint},'
        many = isinstance(value, list)
        numbers[joint] = (
            [_number(where, each) for each in value] if many else _number(where, value)
        )
    return {'joint_map': numbers}


def _number(where: str, value: object) -> float:
    number: float = converted(float, where, value, _no_struct)
    return number
