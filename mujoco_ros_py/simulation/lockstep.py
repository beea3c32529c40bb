"""The lockstep of a simulation with the processes that control it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Lockstep:
    """No step is made past a control period until the answers to its state have come."""

    period_s: float
    """The control period in seconds of simulated time."""
    timeout_s: float = 0.0
    """The wall time in seconds after which it is said whose answer is missing; 0: never."""
    goes_on: bool = False
    """Whether the simulation then goes on without the answer, and otherwise is paused."""
