"""What one run is made from; it is sent to workers, and written beside what is kept of a run."""

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
"""The places of expressions that are true or false."""
PYTHON = 'python'
"""The place in a command where the present Python stands."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RunSpec:
    """A run before it is carried out, of plain values that JSON can have."""

    number: int
    """The number of the run in the sweep, from 0."""
    values: dict[str, Any]
    """The values of the run, by name."""
    folder: str
    """The folder of the file of scenarios, in which controllers run."""
    model: str
    """The model: an absolute path, a URI, or empty."""
    plugins: list[Any]
    """The structs of the plugins, before the values are put in."""
    parameters: dict[str, Any]
    """The parameters of the server."""
    positions: dict[str, Any]
    """The initial positions of joints."""
    velocities: dict[str, Any]
    """The initial velocities of joints."""
    controllers: list[list[str]]
    """The words of the commands of the controllers, with places for values."""
    ros_arguments: bool
    """Whether `--ros-args` is added to the commands."""
    doubles: list[str]
    """The parameters of the controllers that are doubles although their values are whole."""
    until: dict[str, Any]
    """The end of the run, as in `Until`."""
    success: Any
    """The expression, or a struct as `Judge` has it."""
    measures: dict[str, str]
    """The expressions of the results."""
    check_period: float
    """The simulated time between two looks at the state in seconds."""
    time_limit: float
    """The wall time in seconds that the run may take."""
    stall_limit: float
    """The wall time in seconds that may pass without a step."""
    retries: int
    """The number of times that the run is tried again."""
    cpus: float
    """The cores that the run takes."""
    topics: list[str]
    """The topics that are recorded."""
    max_recording: float
    """The largest size of the recording in MiB."""
    keep: str
    """The runs that are kept: failures, all or nothing."""

    @property
    def name(self) -> str:
        """The name of the run, by which its folder is called."""
        return f'{self.number:04}'

    @property
    def lockstep(self) -> bool:
        """Whether the simulation waits for the controllers."""
        return bool(self.parameters.get('lockstep_period'))

    def described(self) -> str:
        """Returns the values in one line: ``floor.friction=0.5 seed=3``."""
        return ' '.join(f'{name}={_short(value)}' for name, value in self.values.items())

    def expressions(self) -> list[tuple[str, str]]:
        """Returns place and text of each expression of the run."""
        found = [(f'measures.{name}', text) for name, text in self.measures.items()]
        if isinstance(self.success, str):
            found.append(('success', self.success))
        if self.until['when']:
            found.append(('until.when', self.until['when']))
        return found

    def commands(self, python: str = sys.executable) -> list[list[str]]:
        """Returns the commands of the controllers with the values in their places.

        Raises ConfigError for a place whose name is no value of the run.
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
        """Returns a word such as `gain:=1` as `gain:=1.0` if the parameter is one of `doubles`."""
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
        """Returns the variables that tell controllers about the run."""
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
        """Makes a run from what `as_written` has returned. Raises ConfigError if it differs."""
        names = {each.name for each in fields(cls)}
        if set(written) != names:
            strange = ', '.join(sorted(set(written) ^ names))
            raise ConfigError(f'the run is of another version: {strange} differ')
        return cls(**written)


def _short(value: object) -> str:
    return f'{value:.4g}' if isinstance(value, float) else json.dumps(value).strip('"')
