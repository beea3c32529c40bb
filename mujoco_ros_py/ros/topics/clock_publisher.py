"""Publishes the simulation time on /clock, for every node with use_sim_time."""

from __future__ import annotations

import math
import threading
import time

from rclpy.node import Node
from rosgraph_msgs.msg import Clock

from ...messages import StructPublisher, set_time
from ...messages.topic_qos import CLOCK
from ...simulation import RepeatingThread, Simulation

_REPEAT_S = 0.1
"""The period in which a paused time is repeated, for nodes that come during the pause."""


class ClockPublisher:
    """Publishes each new time, at most `rate_hz` times per second of wall time.

    Between two time jumps the published times never go back.
    """

    name = 'the clock'

    def __init__(self, node: Node, simulation: Simulation, rate_hz: float) -> None:
        self._publisher = StructPublisher(node, Clock, '/clock', CLOCK)
        self.topic = node.resolve_topic_name('/clock')
        self._time = self._publisher.message['clock']
        self._period_s = 1.0 / rate_hz
        self._simulation = simulation
        self._waiter = simulation.time_waiter()
        self._lock = threading.Lock()  # held from reading the time to publishing it
        self._sent = -1.0
        self._sent_at = 0.0
        self._thread = RepeatingThread('clock', self._tick)
        self.start, self.close = self._thread.start, self._thread.close
        self.doing = self._thread.doing

    @property
    def beats(self) -> int | None:
        """A number that changes as long as the thread goes on; None while it is not to run."""
        return self._thread.beats

    def leave_behind(self) -> None:
        """Does nothing: what blocks this thread blocks others too."""

    def publish_now(self) -> None:
        """Publishes the time at once; the physics thread may call it, also before `start`."""
        with self._lock:
            self._publish(self._simulation.time)

    def _tick(self) -> float:
        """Publishes a new time; waits for the next step if the rate allows each of them."""
        epoch = self._simulation.epoch  # read before the time, as `due` counts in it
        with self._lock:
            now = self._simulation.time
            if now != self._sent or time.monotonic() - self._sent_at > _REPEAT_S:
                self._publish(now)
        if self._simulation.step_period_s < self._period_s:
            return self._period_s
        waiter = self._waiter.result()
        waiter.ask(due=math.nextafter(now, math.inf), epoch=epoch)
        waiter.wait(_REPEAT_S)
        return 0.0

    def _publish(self, seconds: float) -> None:
        set_time(self._time, seconds)
        self._publisher.publish()
        self._sent, self._sent_at = seconds, time.monotonic()
