"""The lockstep of a simulation with the processes that control it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Lockstep:
    """The settings of a lockstep: each control period waits for the answers to its state."""

    period_s: float
    """The control period in seconds of simulated time."""
    timeout_s: float = 0.0
    """The wall time in seconds after which the log names whose answer is missing; 0: never."""
    by_arrival: bool = False
    """Whether the first message after a state answers it; else the message with its stamp does."""
    goes_on: bool = False
    """Whether the simulation goes on without the answer after the time-out, or is paused."""
