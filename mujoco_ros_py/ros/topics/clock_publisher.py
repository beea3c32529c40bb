"""Publishes the simulation time on /clock, for every node with use_sim_time."""

from __future__ import annotations

import threading

from rclpy.node import Node
from rosgraph_msgs.msg import Clock

from ...messages import message_layout
from ...messages.topic_qos import CLOCK
from ...rcl_internals import NativeMessage
from ...simulation import Simulation
from ..message_ports import python_publisher, rcl_publisher
from ..rclpy_internals import has_handles

_REPEAT_S = 0.1
"""The period in which a paused time is repeated, for nodes that come during the pause."""
_LAST_S = 1.0


class ClockPublisher:
    """Publishes each new time, at most `rate_hz` times per second of wall time.

    Where the steps are further apart than that, the time after each of them is published. This is
    done in compiled code on a thread of its own. The quality of service is that of rclpy's time
    source: best effort, with a depth of 1. Between two time jumps the published times never go
    back.
    """

    name = 'the clock'

    def __init__(
        self, node: Node, simulation: Simulation, rate_hz: float, *, by_rcl: bool = True
    ) -> None:
        """`by_rcl` is that of `CompiledTopics`."""
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
        """Publishes the time at once; the physics thread may call it, also before `start`."""

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
        """Lets the publisher be destroyed, once nothing publishes the time any more."""
        if not self._thread.is_alive():
            self._clock.release()

    @property
    def beats(self) -> int | None:
        """A number that changes as long as the thread goes on; None while it is not to run."""
        started = self._thread.ident is not None
        return self._clock.turns if started and not self._closed else None

    def doing(self) -> str:
        """Returns what keeps the thread; an empty string if nothing is known."""
        return '' if self._thread.is_alive() else 'its thread has ended'

    def leave_behind(self) -> None:
        """Does nothing: what blocks this thread blocks others too."""
