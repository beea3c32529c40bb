"""A server in this process, stepped by a test that hears its topics over DDS."""

from __future__ import annotations

from typing import Any

import yaml
from deadline import DEADLINE_S
from system.harness import Client, seconds, wait_until

from mujoco_ros_py.ros.server import Server


class SteppedSensor:
    """One sensor in a paused server, and a client of its topics."""

    def __init__(self, server: Server, client: Client) -> None:
        self.server, self.client = server, client
        self._heard: dict[str, list[Any]] = {}

    @property
    def plugin(self) -> Any:
        hosted = self.server.assembly.host.plugins[0]
        assert hosted.ready, hosted.reason
        return hosted.plugin

    def listen(self, kind: Any, topic: str) -> list[Any]:
        """Returns a list that grows with each message that is published from now on."""
        count = self.client.node.count_subscribers(topic)
        messages = self.client.collect(kind, topic)
        node = self.server.node
        wait_until(lambda: node.count_subscribers(topic) > count, f'a subscriber of {topic}')
        publisher = next(each for each in node.publishers if each.topic_name == topic)
        wait_until(publisher.get_subscription_count, f'{topic} is matched')
        return messages

    def step(self, count: int = 1) -> None:
        self.server.simulation.step(count).result(DEADLINE_S)

    def measure(self, kind: Any, topic: str = '/sensor', steps: int = 1) -> Any:
        """Makes steps, and returns the message of the moment after the last of them.

        The sensor has to publish in each moment. Only the last step is awaited, so others may be
        lost.
        """
        if topic not in self._heard:
            self._heard[topic] = self.listen(kind, topic)
        self.step(steps)
        time_s = self.server.simulation.time

        def newest() -> Any:
            return next((m for m in reversed(self._heard[topic]) if _is_of(m, time_s)), None)

        return wait_until(newest, f'a message of {topic} at {time_s} s')

    def call(self, function: Any) -> Any:
        """Calls `function(model, data)` on the physics thread between two steps."""
        return self.server.simulation.submit(function).result(DEADLINE_S)


def _is_of(message: Any, time_s: float) -> bool:
    return abs(seconds(message.header.stamp) - time_s) < 1e-6


def parameters_of(xml: str, kind: str, config: dict[str, Any]) -> dict[str, Any]:
    """Returns the parameters of a paused server with one plugin `sensor`."""
    plugin = {'type': f'mujoco_ros_py/{kind}', 'name': 'sensor', **config}
    return {'mujoco_xml': xml, 'MujocoPlugins': yaml.safe_dump([plugin]), 'unpause': False}
