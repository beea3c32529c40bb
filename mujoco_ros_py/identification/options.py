"""What to fit, as a file of parameters says it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..config import check_ranges, ranged, read
from ..config.wording import kind, unknown
from ..errors import ConfigError

SETS = 'friction', 'armature', 'actuators', 'masses', 'inertia', 'contact', 'delays', 'offsets'
"""The names of sets of parameters."""
Words = tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Prior:
    """What is known about a value before the fit, as a normal distribution."""

    mean: float
    """The mean."""
    stddev: float = ranged(above=0.0)
    """The standard deviation."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FittedValue:
    """How a value is fitted."""

    of: Words = ()
    """The attributes of the model that have this value (left and right alike); by default, the one
    with the name of the value."""
    initial: float | None = None
    """The initial value; by default, the value in the model."""
    bounds: tuple[float, ...] = ()
    """The smallest and the largest value; by default, a tenth and ten times the initial value."""
    prior: Prior | None = None
    """What is known about the value."""
    scale: Literal['auto', 'linear', 'log'] = 'auto'
    """The scale of the search: `log` for positive values of unknown size. `auto` is `log` if both
    bounds are positive."""

    def __post_init__(self) -> None:
        if self.bounds and (
            len(self.bounds) != 2
            or not self.bounds[0] < self.bounds[1]
            or not all(map(math.isfinite, self.bounds))
        ):
            raise ConfigError(
                f'bounds must be a smaller and a larger finite number, got {list(self.bounds)}'
            )
        if self.scale == 'log' and self.bounds and self.bounds[0] <= 0.0:
            raise ConfigError(f'scale: log needs positive bounds, got {list(self.bounds)}')


@dataclass(frozen=True, kw_only=True, slots=True)
class FitOptions:
    """What to fit. Raises ConfigError for a value outside its range."""

    fit: Words = ()
    """The sets of parameters to fit."""
    only: Words = ()
    """Patterns with `*` and `?` of joints, bodies, actuators and geoms; the sets contain only
    these. By default, they contain all."""
    values: Mapping[str, Any] = ranged(default_factory=dict)
    """Values to fit by name, in addition to the sets, or with other bounds. A name is an attribute
    of the model as in `sweep`, such as `link7.mass`, with an index for a component, such as
    `motor1.gear[0]`."""
    starts: Literal['fitted', 'measured'] = 'fitted'
    """Whether the state at the begin of each sequence is fitted, or taken from the measurements.
    Measured velocities are noisy, so `measured` makes sense only for sequences that begin at rest
    and for good encoders."""
    horizon: float = ranged(1.0, minimum=0.05, maximum=600.0, special=0.0, unit='s')
    """The time that the model is simulated before it starts again from a fitted state, for
    commands of actuators; 0 for whole sequences. With recorded efforts, a simulation leaves the
    measured motion after a while even with the right values. A longer horizon shows slow effects.
    With plugins in the loop, or joints whose positions are not measured, sequences are simulated
    as a whole, from the rest at their begin."""
    settle: float = ranged(0.0, minimum=0.0, maximum=60.0, unit='s')
    """The simulated time before each sequence, with its first command, in which joints without
    measured positions come to rest, such as a base on its wheels; at least 1 s if there are
    any."""
    tolerance: float = ranged(1e-5, above=0.0, maximum=0.1)
    """The fit ends when a step changes all values by less than this, relatively."""
    max_iterations: int = ranged(60, minimum=1, maximum=10_000)
    """The maximum number of iterations of each pass."""

    def __post_init__(self) -> None:
        check_ranges(self)
        for name in self.fit:
            if name not in SETS:
                raise ConfigError(f'fit: {unknown("set", name, SETS)}')

    def fitted_values(self) -> dict[str, FittedValue]:
        """Returns the values by name. Raises ConfigError for a wrong entry."""
        found = {}
        for name, value in self.values.items():
            where = f'values.{name}'
            struct = {} if value is None else value
            if not isinstance(struct, Mapping):
                raise ConfigError(f'{where} must be a struct, got {kind(value)}')
            found[name] = read(FittedValue, struct, where)
        return found
