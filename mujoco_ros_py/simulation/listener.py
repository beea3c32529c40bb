"""What a simulation reports to the node or the session that it belongs to."""

from __future__ import annotations


class Listener:
    """Told what happens, on the physics thread: methods must return soon."""

    def on_time_jump(self, time_s: float) -> None:
        """An epoch begins at `time_s`: by a load or reset, or because somebody set the time."""

    def on_standstill(self) -> None:
        """The simulation was paused or stopped, or steps asked for while paused have been made."""

    def on_finished(self) -> None:
        """The number of steps that was asked for has been made."""
