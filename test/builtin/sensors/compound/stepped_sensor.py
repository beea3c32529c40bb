"""A server in this process, stepped by a test that subscribes to its topics over DDS."""

from __future__ import annotations

from typing import Any

from deadline import DEADLINE_S
from system.harness import Client, seconds, wait_until

from mujoco_ros_py.ros.server import Server


class SteppedSensor:
    """One sensor in a paused server, and a client of its topics."""

    def __init__(self, server: Server, client: Client) -> None:
        self.server, self.client = server, client
        self._heard: dict[str, list[Any]] = {}

    def listen(self, kind: Any, topic: str) -> list[Any]:
        """Returns a list that grows with each message; a pause repeats the current message."""
        messages = self.client.collect(kind, topic)
        wait_until(lambda: messages, f'a first message of {topic}')
        return messages

    def step(self, count: int = 1) -> None:
        self.server.simulation.step(count).result(DEADLINE_S)

    def measure(self, kind: Any, topic: str = '/sensor', steps: int = 1) -> Any:
        """Steps, and returns the message of the final state.

        The sensor must publish after every step. Only the last message is awaited, so others can
        be lost.
        """
        if topic not in self._heard:
            self._heard[topic] = self.listen(kind, topic)
        heard = self._heard[topic]
        before = len(heard)
        self.step(steps)
        time_s = self.server.simulation.time

        def newest() -> Any:  # a message from before a reset may have the same time
            return next((each for each in heard[before:] if _is_of(each, time_s)), None)

        return wait_until(newest, f'a message of {topic} at {time_s} s')

    def call(self, function: Any) -> Any:
        """Calls `function(model, data)` on the physics thread between two steps."""
        return self.server.simulation.submit(function).result(DEADLINE_S)


def _is_of(message: Any, time_s: float) -> bool:
    return abs(seconds(message.header.stamp) - time_s) < 1e-6


def listed(kind: str, config: dict[str, Any], group: str) -> list[Any]:
    """Returns a plugin list with one sensor named `sensor`, in a group if `group` is given."""
    plugin = {'type': f'mujoco_ros_py/{kind}', 'name': 'sensor', **config}
    return [{'namespace': group, 'plugins': [plugin]}] if group else [plugin]
