"""The state of a simulation, as others than the physics thread may read it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Status:
    """The state of a simulation at one moment."""

    time: float
    """The simulation time in seconds."""
    steps: int
    """The number of steps since the model was loaded."""
    timestep: float
    """The timestep of the model in seconds; 0 while no model is loaded."""
    paused: bool
    """Whether the simulation is paused."""
    pending_steps: int
    """The number of steps that were asked for in the pause and are not made yet."""
    realtime: float
    """The simulated seconds per wall second that are asked for; -1: as many as possible."""
    failure: str
    """The fatal error that stopped the simulation until a reset or reload; empty without one."""
    warnings: int
    """The number of MuJoCo's warnings since the last load or reset; it warns once of each kind."""
    latest_warning: str
    """The newest of these warnings; empty if there is none."""
    loads: int
    """The number of times that a model has been loaded."""
    resets: int
    """The number of times that the data have been reset."""
