"""The configuration of a sweep: what is simulated, what differs, how long, and what is success."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..config import check_ranges, ranged
from ..errors import ConfigError

Words = tuple[str, ...]
"""The words of a command."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Until:
    """The end of a run."""

    time: float = ranged(above=0.0, maximum=1e6, unit='s')
    """The simulated time at which a run ends."""
    when: str = ''
    """An expression that ends a run before that time, as soon as it is true."""
    controllers_done: bool = False
    """Whether a run ends when its controllers have ended with the exit status 0."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RandomValues:
    """Values that are drawn together: each sample has one of each distribution."""

    samples: int = ranged(minimum=1, maximum=1_000_000)
    """The number of samples."""
    values: Mapping[str, Any] = ranged()
    """The distributions by the names of what they are for."""
    seed: int = ranged(0, minimum=0)
    """The seed: the same seed draws the same values, whatever else the file has."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Judge:
    """A judgement by code: exactly one of both must be given."""

    function: str = ''
    """A function `module:function`, which gets the run, and returns whether it has passed."""
    test: str = ''
    """A test of pytest, `file.py::test`, which gets the run as its fixture `sweep_run`."""

    def __post_init__(self) -> None:
        if bool(self.function) == bool(self.test):
            raise ConfigError('function or test must be given, and not both')
        module, colon, name = self.function.partition(':')
        if self.function and not (module and colon and name):
            raise ConfigError(f'function must be module:function, got {self.function!r}')


@dataclass(frozen=True, kw_only=True, slots=True)
class Scenarios:
    """The content of a file of scenarios.

    Raises ConfigError for a value outside of its range, and for values that contradict each other.
    """

    model: str = ''
    """The model: a path relative to this file, `package://<package>/<path>`, or a function that
    makes it, `python://<module>:<function>`; empty: an empty world."""
    plugins: str | tuple[Mapping[str, Any], ...] = ()
    """The plugins: a list of structs as in MujocoPlugins, or the path of a file with it."""
    parameters: Mapping[str, Any] = ranged(default_factory=dict)
    """Parameters of the server, by name."""
    positions: Mapping[str, Any] = ranged(default_factory=dict)
    """The initial positions of joints, by name."""
    velocities: Mapping[str, Any] = ranged(default_factory=dict)
    """The initial velocities of joints, by name."""
    controller: Words | tuple[Words, ...] = ()
    """The words of the command that starts the controller, or a list of such commands. `{python}`
    is the present Python, and `{<name>}` a value of the run."""
    ros_arguments: bool = True
    """Whether the controllers get simulated time and the values without a dot in their names as
    ROS parameters, by `--ros-args`; false for programs that refuse such arguments."""
    vary: Mapping[str, Any] = ranged(default_factory=dict)
    """The grid: lists of values, or distributions with `samples` and `seed`, by the names of what
    they are for; each value is combined with each of the others."""
    cases: tuple[Mapping[str, Any], ...] = ()
    """Sets of values by name, each of which is combined with the whole grid."""
    random: RandomValues | None = None
    """Values that are drawn together, each sample combined with the whole grid."""
    until: Until = ranged()
    """The end of a run."""
    success: str | Judge = ranged()
    """The rule of success: an expression on the states of the run, or code that judges."""
    measures: Mapping[str, str] = ranged(default_factory=dict)
    """Expressions whose values are in the results, by name."""
    check_period: float = ranged(0.01, above=0.0, maximum=3600.0, unit='s')
    """The simulated time between two looks at the state."""
    time_limit: float = ranged(600.0, above=0.0, maximum=1e6, unit='s')
    """The wall time after which a run is ended as one that hangs."""
    stall_limit: float = ranged(60.0, above=0.0, maximum=1e6, unit='s')
    """The wall time without a step after which a run is ended as one that hangs."""
    retries: int = ranged(2, minimum=0, maximum=100)
    """The number of times that a run is tried again whose worker, server or controller was
    killed."""
    cpus: float = ranged(1.0, above=0.0, maximum=1024.0)
    """The cores that a run takes, by which Ray decides how many go on at once."""
    topics: Words = ()
    """The topics that are recorded besides the states."""
    max_recording: float = ranged(256.0, minimum=1.0, maximum=16384.0, unit='MiB')
    """The largest size of the recording of a run."""
    keep: Literal['failures', 'all', 'nothing'] = 'failures'
    """The runs whose recordings, logs and commands are kept."""

    def __post_init__(self) -> None:
        check_ranges(self)
        for name in sorted(self.parameters.keys() & _TAKEN):
            told = f'a sweep sets it by itself ({_TAKEN[name]})'
            raise ConfigError(f'parameters.{name} must not be given: {told}')
        for name in self.measures:
            if not name.isidentifier():
                raise ConfigError(f'measures: a name must be a word, got {name!r}')

    @property
    def commands(self) -> tuple[Words, ...]:
        """The commands of the controllers."""
        if not self.controller:
            return ()
        if isinstance(self.controller[0], str):
            return (self.controller,)
        return self.controller


_TAKEN = {
    'modelfile': 'by `model`',
    'mujoco_xml': 'by `model`',
    'unpause': 'a run makes its steps itself',
    'num_steps': 'by `until.time`',
    'MujocoPlugins': 'by `plugins`',
    'strict': 'a plugin that is refused fails the run',
}
