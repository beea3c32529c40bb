"""The settings of a simulation's lockstep with controllers in other processes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Lockstep:
    """Settings of a lockstep: in each period, the simulation awaits the controllers' answers."""

    period_s: float
    """The control period in seconds of simulated time."""
    timeout_s: float = 0.0
    """The wall time in seconds after which missing answers are logged; 0: never."""
    by_arrival: bool = False
    """Whether the first message that arrives after a state answers it. Otherwise, the message with
    the stamp of the state answers it."""
    goes_on: bool = False
    """Whether the simulation continues after the time-out; otherwise it pauses."""
