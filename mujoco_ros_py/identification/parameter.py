"""A number to fit, and its coordinate for the optimiser."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Effect = Literal['attribute', 'mass', 'inertia', 'command_delay', 'signal_delay', 'offset']
"""A parameter changes an attribute of the model, the mass or the inertia of a body, the
delay of commands, the delay of a topic, or the offset of a joint's encoder."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Parameter:
    """A number to fit.

    The optimiser sees a coordinate: the value in units of `size`, or the natural logarithm of the
    value. Coordinates of about 1 make the problem well scaled.
    """

    name: str
    effect: Effect
    targets: tuple[str, ...]
    """The attributes as in `sweep`, or the name of the body, topic or joint."""
    initial: float
    bounds: tuple[float, float]
    logarithmic: bool = False
    """Whether the coordinate is a logarithm; the bounds must then be positive."""
    prior: tuple[float, float] | None = None
    """Mean and standard deviation before the fit; None if nothing is known."""
    component: int = 0
    """The component of a body's inertia."""
    unit: str = ''

    @property
    def size(self) -> float:
        """The value of a linear coordinate of 1."""
        low, high = self.bounds
        return max(abs(self.initial), 0.05 * (high - low))

    def coordinate(self, value: float) -> float:
        """Converts a value to a coordinate."""
        return math.log(value) if self.logarithmic else value / self.size

    def value(self, coordinate: float) -> float:
        """Converts a coordinate to a value."""
        return math.exp(coordinate) if self.logarithmic else coordinate * self.size

    def slope(self, value: float) -> float:
        """Returns the change of the value per change of the coordinate."""
        return value if self.logarithmic else self.size

    @property
    def limits(self) -> tuple[float, float]:
        """The bounds of the coordinate."""
        low, high = (self.coordinate(bound) for bound in self.bounds)
        return low, high
