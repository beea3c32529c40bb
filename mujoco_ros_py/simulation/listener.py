"""The events that a simulation reports to its node or session."""

from __future__ import annotations


class Listener:
    """Receives the events of a simulation, on the physics thread. Methods must return soon."""

    def on_time_jump(self, time_s: float) -> None:
        """Called when the simulated time jumps to `time_s`, for example after a reset."""

    def on_standstill(self) -> None:
        """Called when the simulation pauses or stops, and after the steps of a request."""

    def on_finished(self) -> None:
        """Called when the simulation has made all of its `num_steps` steps."""
