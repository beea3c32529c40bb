"""Publishes the simulation time on /clock, for every node with use_sim_time."""

from __future__ import annotations

import threading

from rclpy.node import Node
from rosgraph_msgs.msg import Clock

from ...engine.messages import message_layout
from ...plugins.topic_qos import CLOCK
from ...rcl_internals import NativeMessage
from ...simulation import Simulation
from ..message_ports import python_publisher, rcl_publisher
from ..rclpy_internals import has_handles

_REPEAT_S = 0.1
"""The period in s at which a paused time is repeated, for nodes that appear during the pause."""
_LAST_S = 1.0


class ClockPublisher:
    """Publishes each new time, at most `rate_hz` times per second of wall time.

    If the steps are further apart, the time after each step is published. Compiled code publishes
    on a thread of its own. The quality of service matches rclpy's time source: best effort, with a
    depth of 1. Between two time jumps, the published times never go back.
    """

    name = 'the clock'

    def __init__(
        self, node: Node, simulation: Simulation, rate_hz: float, *, by_rcl: bool = True
    ) -> None:
        """`by_rcl` has the same meaning as for `CompiledTopics`."""
        message = NativeMessage(Clock)
        make_port = rcl_publisher if by_rcl and has_handles() else python_publisher
        port = make_port(node.create_publisher(Clock, '/clock', CLOCK), message)
        self.topic = node.resolve_topic_name('/clock')
        fields = message_layout(Clock).fields
        assert fields is not None
        self._clock = simulation.exchange.new_clock(
            port,
            message.address + fields['clock'][1],
            least_period_s=1.0 / rate_hz,
            repeat_s=_REPEAT_S,
        )
        self._thread = threading.Thread(target=self._clock.run, name='clock', daemon=True)
        self._closed = False
        self.publish_now = self._clock.send_now
        """Publishes the time immediately; the physics thread may call it, even before `start`."""

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def close(self) -> None:
        """Ends the thread; waits up to 1 s for its last message."""
        self._closed = True
        self._clock.stop()
        if self._thread.is_alive():
            self._thread.join(_LAST_S)

    def release(self) -> None:
        """Allows the publisher to be destroyed; does nothing while the thread runs."""
        if not self._thread.is_alive():
            self._clock.release()

    @property
    def beats(self) -> int | None:
        """A number that changes while the thread runs; None before `start` and after `close`."""
        started = self._thread.ident is not None
        return self._clock.turns if started and not self._closed else None

    def doing(self) -> str:
        """Returns the reason why the thread is stuck; an empty string if it is unknown."""
        return '' if self._thread.is_alive() else 'its thread has ended'

    def leave_behind(self) -> None:
        """Does nothing: whatever blocks this thread would block another thread, too."""
