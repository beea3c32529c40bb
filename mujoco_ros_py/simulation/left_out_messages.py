"""Tells of messages that were left out, as they came faster than they could be sent."""

from __future__ import annotations

import logging
import time

from .outlet_feed import OutletFeed

_log = logging.getLogger(__name__)

_PERIOD_S = 10.0
"""The shortest time between two log lines about one feed."""


class LeftOutMessages:
    """Logs how many messages each feed has left out; one thread calls `look`."""

    def __init__(self) -> None:
        self._told: dict[str, tuple[int, float]] = {}
        """The number that was told last, and when, by the name of the feed."""

    def look(self, feed: OutletFeed) -> None:
        """Logs the messages that were left out since the last line, unless that is recent."""
        count, now = feed.left_out, time.monotonic()
        told, when = self._told.get(feed.name, (0, -_PERIOD_S))
        if count > told and now - when >= _PERIOD_S:
            self._told[feed.name] = count, now
            _log.warning(
                '%s cannot keep up: %d messages were left out, as they are due faster than one '
                'thread fills and sends them; lower their rates or the speed of the simulation',
                feed.name,
                count - told,
            )
