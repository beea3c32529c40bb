"""The status of a simulation, readable from any thread."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Status:
    """The status of a simulation at one time."""

    time: float
    """The simulation time in seconds."""
    steps: int
    """The number of steps since the model was loaded."""
    timestep: float
    """The timestep of the model in seconds; 0 while no model is loaded."""
    paused: bool
    """Whether the simulation is paused."""
    pending_steps: int
    """The number of steps that were requested during the pause and are not made yet."""
    realtime: float
    """The requested real-time factor: simulated seconds per wall second; -1: unthrottled."""
    failure: str
    """The fatal error that stopped the simulation until a reset or reload; else empty."""
    warnings: int
    """The number of MuJoCo's warnings since the last load or reset. MuJoCo warns once per kind."""
    latest_warning: str
    """The newest of these warnings; empty without warnings."""
    loads: int
    """The number of model loads."""
    resets: int
    """The number of resets of the data."""
