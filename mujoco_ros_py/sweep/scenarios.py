"""The configuration of a sweep: the simulation, the varied values, the end, and the success."""

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
    """An expression that ends a run before `time`, as soon as it is true."""
    controllers_done: bool = False
    """Whether a run ends as soon as its controllers have ended with the exit status 0."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RandomValues:
    """Values that are drawn together: each sample has one value from each distribution."""

    samples: int = ranged(minimum=1, maximum=1_000_000)
    """The number of samples."""
    values: Mapping[str, Any] = ranged()
    """The distributions, by the name of the value."""
    seed: int = ranged(0, minimum=0)
    """The seed. The values of a name depend only on the seed, not on the rest of the file."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Judge:
    """A judgement by code: exactly one of `function` and `test` must be given."""

    function: str = ''
    """A function, `module:function`, that takes a `FinishedRun` and returns whether it passed."""
    test: str = ''
    """A pytest test, `file.py::test`; its fixture `sweep_run` returns the `FinishedRun`."""

    def __post_init__(self) -> None:
        if bool(self.function) == bool(self.test):
            raise ConfigError('exactly one of function and test must be given')
        module, colon, name = self.function.partition(':')
        if self.function and not (module and colon and name):
            raise ConfigError(f'function must be module:function, got {self.function!r}')


@dataclass(frozen=True, kw_only=True, slots=True)
class Scenarios:
    """The content of a scenario file.

    Raises ConfigError for a value outside its range, and for contradicting values.
    """

    model: str = ''
    """The model: a path relative to this file, `package://<package>/<path>`, or a function that
    makes the model, `python://<module>:<function>`. If empty, the world is empty."""
    plugins: str | tuple[Mapping[str, Any], ...] = ()
    """The plugins: a list of structs in the form of `MujocoPlugins`, or the path of a file with
    this list."""
    parameters: Mapping[str, Any] = ranged(default_factory=dict)
    """Server parameters, by name."""
    positions: Mapping[str, Any] = ranged(default_factory=dict)
    """The initial joint positions, by joint name."""
    velocities: Mapping[str, Any] = ranged(default_factory=dict)
    """The initial joint velocities, by joint name."""
    controller: Words | tuple[Words, ...] = ()
    """The command that starts the controller as a list of words, or a list of commands. `{python}`
    stands for the current Python interpreter, and `{<name>}` for a value of the run."""
    ros_arguments: bool = True
    """Whether `--ros-args` passes simulated time and the values without a dot in their names to
    the controllers as ROS parameters. Set it to false for programs that refuse these arguments."""
    vary: Mapping[str, Any] = ranged(default_factory=dict)
    """The grid: a list of values, or a distribution with `samples` and `seed`, for each name. Each
    value of a name is combined with each value of the other names."""
    cases: tuple[Mapping[str, Any], ...] = ()
    """Sets of values by name. Each set is combined with the whole grid."""
    random: RandomValues | None = None
    """Values that are drawn together. Each sample is combined with the whole grid."""
    until: Until = ranged()
    """The end of a run."""
    success: str | Judge = ranged()
    """The success criterion: an expression on the states of the run, or a function or test."""
    measures: Mapping[str, str] = ranged(default_factory=dict)
    """Expressions whose values are in the results, by name."""
    check_period: float = ranged(0.01, above=0.0, maximum=3600.0, unit='s')
    """The simulated time between two checks of the state."""
    time_limit: float = ranged(600.0, above=0.0, maximum=1e6, unit='s')
    """The wall time after which a run is stopped as `hung`."""
    stall_limit: float = ranged(60.0, above=0.0, maximum=1e6, unit='s')
    """The wall time without a step after which a run is stopped as `hung`."""
    retries: int = ranged(2, minimum=0, maximum=100)
    """The maximum number of retries after a worker, server or controller was killed."""
    cpus: float = ranged(1.0, above=0.0, maximum=1024.0)
    """The number of cores that a run occupies. Ray starts as many runs at once as its cores
    allow."""
    topics: Words = ()
    """The topics to record in addition to the states."""
    max_recording: float = ranged(256.0, minimum=1.0, maximum=16384.0, unit='MiB')
    """The maximum size of a run's recording."""
    keep: Literal['failures', 'all', 'nothing'] = 'failures'
    """The runs to keep, with recording, logs and commands."""

    def __post_init__(self) -> None:
        check_ranges(self)
        for name in sorted(self.parameters.keys() & _TAKEN):
            told = f'a sweep sets it itself ({_TAKEN[name]})'
            raise ConfigError(f'parameters.{name} must not be given: {told}')
        for name in self.measures:
            if not name.isidentifier():
                raise ConfigError(f'measures: a name must be an identifier, got {name!r}')

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
    'unpause': 'it steps the server',
    'num_steps': 'by `until.time`',
    'MujocoPlugins': 'by `plugins`',
    'strict': 'a refused plugin fails the run',
}
