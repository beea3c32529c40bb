"""What watches the server's threads: those that all topics and services depend on."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence

from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.node import Node

from ..config.wording import summary
from ..simulation import STANDSTILL_S, Owner, Standstill, Ticker, Watch, Watched, activity

_log = logging.getLogger(__name__)
_BEAT_S = 0.25


class ExecutorPulse:
    """The thread of the ROS callbacks, as the watch sees it."""

    name = 'the executor of the ROS callbacks'

    def __init__(self, node: Node) -> None:
        self._beats: int | None = None
        self._thread: threading.Thread | None = None
        node.create_timer(_BEAT_S, self._beat, clock=Clock(clock_type=ClockType.STEADY_TIME))

    @property
    def beats(self) -> int | None:
        """Changes as long as the thread goes on; None before it has begun."""
        return self._beats

    def doing(self) -> str:
        """What keeps the thread."""
        thread = self._thread
        if thread is not None and not thread.is_alive():
            return 'its thread has ended'
        return str((thread and activity(thread.ident)) or '')

    def leave_behind(self) -> None:
        """Nobody can go on in its place: rclpy's executor has one thread."""

    def _beat(self) -> None:
        self._thread = threading.current_thread()
        self._beats = (self._beats or 0) + 1


class Threads:
    """Watches threads, and keeps what the server's own functions raise on them."""

    def __init__(self, watched: Sequence[Watched]) -> None:
        self.owner = Owner('the server', self._failed)
        """Whom the server's own functions belong to: they are called again, whatever happens."""
        self._faults: dict[str, tuple[str, float]] = {}
        self._watch = Watch(watched)
        self._ticker = Ticker('watch', self._watch.look)
        self.start, self.close = self._ticker.start, self._ticker.close
        self.names = [thread.name for thread in watched]

    def standing(self) -> list[Standstill]:
        """The threads that stand still now."""
        return self._watch.standing()

    def faults(self) -> list[str]:
        """What the server's own functions raise now."""
        recent = time.monotonic() - STANDSTILL_S
        return [text for text, when in tuple(self._faults.values()) if when > recent]

    def _failed(self, where: str, error: BaseException) -> None:
        text = f'{where} raised {summary(error)}'
        if self._faults.get(where, ('', 0.0))[0] != text:
            _log.error('%s; it is called again', text, exc_info=error)
        self._faults[where] = text, time.monotonic()
