"""The specification of one run, which is sent to workers and stored with the kept files."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from ..config.wording import unknown
from ..errors import ConfigError

_PLACE = re.compile(r'\{([^{}\s]+)\}')
_WHOLE = re.compile(r'(?<![\w.+-])[+-]?\d+(?![\w.])')
CONDITIONS = 'success', 'until.when'
"""The locations of expressions that must be true or false."""
PYTHON = 'python'
"""The placeholder for the current Python interpreter in a command."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RunSpec:
    """The specification of a run; all values can be written as JSON."""

    number: int
    """The number of the run in the sweep, from 0."""
    values: dict[str, Any]
    """The run's values, by name."""
    folder: str
    """The folder of the scenario file, and the working directory of controllers."""
    model: str
    """The model: an absolute path, a URI, or empty."""
    plugins: list[Any]
    """The plugins' configurations, without the run's values."""
    parameters: dict[str, Any]
    """The server's parameters."""
    positions: dict[str, Any]
    """The initial positions of joints."""
    velocities: dict[str, Any]
    """The initial velocities of joints."""
    controllers: list[list[str]]
    """The commands of the controllers, each a list of words with placeholders for values."""
    ros_arguments: bool
    """Whether `--ros-args` is added to the commands."""
    doubles: list[str]
    """The controllers' parameters to pass as doubles even if their values are whole."""
    until: dict[str, Any]
    """The end of the run, with the fields of `Until`."""
    success: Any
    """The expression, or a struct with the fields of `Judge`."""
    measures: dict[str, str]
    """The expressions whose values are in the results."""
    check_period: float
    """The simulated time in seconds between two checks of the state."""
    time_limit: float
    """The maximum wall time of the run in seconds."""
    stall_limit: float
    """The maximum wall time without a step in seconds."""
    retries: int
    """The maximum number of retries."""
    cpus: float
    """The number of cores that the run occupies."""
    topics: list[str]
    """The recorded topics."""
    max_recording: float
    """The maximum size of the recording in MiB."""
    keep: str
    """The runs to keep: failures, all or nothing."""

    @property
    def name(self) -> str:
        """The name of the run and of its folder."""
        return f'{self.number:04}'

    @property
    def lockstep(self) -> bool:
        """Whether the simulation waits for the controllers."""
        return bool(self.parameters.get('lockstep_period'))

    def described(self) -> str:
        """Returns the values in one line: ``floor.friction=0.5 seed=3``."""
        return ' '.join(f'{name}={_short(value)}' for name, value in self.values.items())

    def expressions(self) -> list[tuple[str, str]]:
        """Returns the location and the text of each expression of the run."""
        found = [(f'measures.{name}', text) for name, text in self.measures.items()]
        if isinstance(self.success, str):
            found.append(('success', self.success))
        if self.until['when']:
            found.append(('until.when', self.until['when']))
        return found

    def commands(self, python: str = sys.executable) -> list[list[str]]:
        """Returns the controllers' commands, with the run's values inserted.

        Raises ConfigError for a placeholder that names no value of the run.
        """
        values = {**self.values, PYTHON: python}

        def filled(found: re.Match[str]) -> str:
            if found[1] not in values:
                raise ConfigError(f'controller: {unknown("value", found[1], values)}')
            value = values[found[1]]
            return value if isinstance(value, str) else json.dumps(value)

        made = [[_PLACE.sub(filled, word) for word in words] for words in self.controllers]
        return [
            [self._with_doubles(word) for word in (*words, *self._ros_arguments())]
            for words in made
        ]

    def _with_doubles(self, word: str) -> str:
        """Turns `gain:=1` into `gain:=1.0` if `gain` is listed in `doubles`."""
        name, assigned, value = word.partition(':=')
        if not assigned or name.rpartition(':')[2] not in self.doubles:
            return word
        return name + assigned + _WHOLE.sub(r'\g<0>.0', value)

    def _ros_arguments(self) -> list[str]:
        if not self.ros_arguments:
            return []
        own = {name: value for name, value in self.values.items() if name.isidentifier()}
        given = {'use_sim_time': True, **own}
        pairs = (f'{name}:={json.dumps(value)}' for name, value in given.items())
        return ['--ros-args', *(word for pair in pairs for word in ('-p', pair))]

    def environment(self) -> dict[str, str]:
        """Returns the environment variables with the run's number and values, for controllers."""
        each = {
            f'SWEEP_{re.sub("[^0-9A-Za-z]", "_", name).upper()}': (
                value if isinstance(value, str) else json.dumps(value)
            )
            for name, value in self.values.items()
        }
        own = {'SWEEP_RUN': str(self.number), 'SWEEP_VALUES': json.dumps(self.values)}
        return {**each, **own}

    def as_written(self) -> dict[str, Any]:
        """Returns the run for JSON."""
        return asdict(self)

    @classmethod
    def from_written(cls, written: Mapping[str, Any]) -> RunSpec:
        """Creates a run from the result of `as_written`. Raises ConfigError for other fields."""
        names = {each.name for each in fields(cls)}
        if set(written) != names:
            strange = ', '.join(sorted(set(written) ^ names))
            raise ConfigError(f'the run was written by another version: {strange} differ')
        return cls(**written)


def _short(value: object) -> str:
    return f'{value:.4g}' if isinstance(value, float) else json.dumps(value).strip('"')
