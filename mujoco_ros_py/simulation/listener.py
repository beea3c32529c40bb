"""The reports of a simulation to the node or the session that it belongs to."""

from __future__ import annotations


class Listener:
    """Is told what happens, on the physics thread: its methods must return soon."""

    def on_time_jump(self, time_s: float) -> None:
        """Is called when an epoch begins at `time_s`: by a load, a reset or a set time."""

    def on_standstill(self) -> None:
        """Is called when the simulation pauses or stops, or has made the steps of a pause."""

    def on_finished(self) -> None:
        """Is called when the simulation has made all steps of `num_steps`."""
