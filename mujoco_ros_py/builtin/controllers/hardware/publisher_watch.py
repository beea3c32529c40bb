"""Looks after the publisher of commands, from which nothing may come for long."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .topic_based_hardware import TopicBasedHardware

_log = logging.getLogger(__name__)
_LOOK_S = 1.0
"""The wall time in s between two looks: simulated time stands still in a pause."""


class PublisherWatch:
    """Looks once a second, from the load on, whether the commands have a publisher; needs ROS."""

    def __init__(self, hardware: TopicBasedHardware, subscription: Any) -> None:
        self._hardware, self._subscription = hardware, subscription
        self._hinted, self._silent = False, 0
        hardware.ros.create_timer(_LOOK_S, self._look)

    def _look(self) -> None:
        if not self._subscription.publishers:
            self._silent = 0
            return
        if self._hardware.environment.simulation.paused and not self._hinted:
            self._hinted = True
            _log.info(
                '%s: the simulation is paused, and %s has a publisher: a controller manager in'
                ' simulated time makes no updates in a pause, and "Switch controller timed out"'
                ' is its answer until set_pause has the simulation run',
                self._hardware.name, self._subscription.topic_name,
            )  # fmt: skip
        if not self._subscription.taken:
            self._silent += 1
            if self._silent == 2:  # at the first look it may have come just now
                self._hardware.environment.submit(lambda model, data: self._expect_old())

    def _expect_old(self) -> None:
        """Distrusts the first command of a publisher that has been silent.

        A controller manager sends NaN from its start on. If it is silent, its time has jumped back
        by the start of this server: it sleeps until the old time comes again.
        """
        if not self._subscription.taken and self._hardware.distrust_first():
            _log.info(
                '%s: nothing comes from the publisher of %s: a controller manager waits for the'
                ' clock, or sleeps until a time from before; if its first command is a number, it'
                ' is one from before, and is ignored until it changes'
                ' (ignore_old_commands_after_reset)',
                self._hardware.name, self._subscription.topic_name,
            )  # fmt: skip
