"""Effects that have several parameters: distributions of delays, losses, and limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...config import ranged
from ...errors import ConfigError

MOST_DELAYS = 10_000
"""The maximum number of measured delays of an entry. Each saved state contains all of them."""
_DISTRIBUTIONS = 'normal', 'uniform', 'gamma', 'empirical'


@dataclass(frozen=True, kw_only=True, slots=True)
class Normal:
    """A normal distribution of delays; negative draws count as 0."""

    mean: float = ranged(minimum=0.0, unit='s')
    """Mean delay."""
    stddev: float = ranged(minimum=0.0, unit='s')
    """Standard deviation of the delay."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Gamma:
    """A gamma distribution of delays, with the mean `offset` + `shape` * `scale`."""

    shape: float = ranged(above=0.0)
    """Shape parameter; 1 makes the distribution exponential."""
    scale: float = ranged(above=0.0, unit='s')
    """Scale parameter; the standard deviation is `scale` times the square root of `shape`."""
    offset: float = ranged(0.0, minimum=0.0, unit='s')
    """Smallest delay, which is added to each draw."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Distribution:
    """A distribution of delays; exactly one of the keys must be given."""

    normal: Normal | None = None
    """Normal distribution."""
    uniform: tuple[float, float] | None = ranged(None, minimum=0.0, unit='s')
    """Smallest and largest delay of a uniform distribution."""
    gamma: Gamma | None = None
    """Gamma distribution."""
    empirical: tuple[float, ...] | None = ranged(None, minimum=0.0, unit='s')
    """Measured delays; each message draws one of them."""

    def __post_init__(self) -> None:
        given = [name for name in _DISTRIBUTIONS if getattr(self, name) is not None]
        if not given:
            raise ConfigError('normal, uniform, gamma or empirical must be given, got nothing')
        if len(given) > 1:
            raise ConfigError(f'{given[1]} must not be given with {given[0]}: give one of them')
        if self.uniform is not None and self.uniform[0] > self.uniform[1]:
            low, high = self.uniform
            raise ConfigError(f'uniform must be [low, high] with low <= high, got [{low}, {high}]')
        if self.empirical is not None and not 1 <= len(self.empirical) <= MOST_DELAYS:
            raise ConfigError(
                f'empirical must have 1 to {MOST_DELAYS} delays, got {len(self.empirical)}'
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class Burst:
    """Losses in bursts: a Markov chain whose state changes from message to message.

    In the good state all messages arrive, in the bad state all are lost. Bursts have the mean
    length 1 / `leave`, and the share of lost messages is `enter` / (`enter` + `leave`).
    """

    enter: float = ranged(above=0.0, maximum=1.0)
    """Probability of the bad state after a message in the good state."""
    leave: float = ranged(above=0.0, maximum=1.0)
    """Probability of the good state after a message in the bad state."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Drop:
    """Losses that depend on whether the previous message was lost."""

    burst: Burst
    """Losses in bursts."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Stale:
    """The message delivered last is sometimes delivered again instead of a new message."""

    probability: float = ranged(minimum=0.0, maximum=1.0)
    """Probability that this happens to a message."""
    stamp: Literal['new', 'old'] = 'old'
    """Stamp of the repeated message. `old`: its original stamp; `new`: the time of delivery."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Saturation:
    """Limits of an actuator; at least one of the keys must be given."""

    force: float | None = ranged(None, minimum=0.0)
    """Largest magnitude of the force, in N or N m."""
    velocity: float | None = ranged(None, minimum=0.0)
    """Maximum speed of the joint or tendon, in m/s or rad/s. Above this speed, the actuator exerts
    no force in the direction of motion."""

    def __post_init__(self) -> None:
        if self.force is None and self.velocity is None:
            raise ConfigError('force or velocity must be given, got neither')
