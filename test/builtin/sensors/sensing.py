"""A server in this process, stepped by the test, and a client that subscribes to its sensors."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

from deadline import DEADLINE_S
from rclpy.qos import DurabilityPolicy, QoSProfile
from system.harness import Client, seconds, wait_until

from mujoco_ros_py.config import changed_live

_AT_ONCE = 3
"""The number of steps at once, so few that neither the ring of snapshots nor a DDS queue fills."""
_EARLY_S = 1e-7
"""How much a stamp can differ from the time, because time is a sum of rounded timesteps."""


class Heard:
    """The messages that a client receives on one topic."""

    def __init__(self, client: Client, kind: Any, topic: str, rate_hz: float) -> None:
        self.messages = client.collect(kind, topic)
        self.topic, self.rate_hz = topic, rate_hz

    @property
    def by_time(self) -> dict[float, Any]:
        """Returns the messages by stamp in s; the last one if several have the same stamp."""
        return {stamp_of(each): each for each in tuple(self.messages)}

    @property
    def times(self) -> list[float]:
        """Returns the stamps in order of arrival; a stamp repeated by a pause counts once."""
        stamps = [stamp_of(each) for each in tuple(self.messages)]
        return [now for k, now in enumerate(stamps) if k == 0 or now != stamps[k - 1]]

    @property
    def last(self) -> Any:
        """The newest message."""
        return self.messages[-1]

    def wait_for(self, time_s: float) -> None:
        """Waits for the message due at or before this time, counted from 0."""
        due = math.floor((time_s + _EARLY_S) * self.rate_hz) / self.rate_hz - _EARLY_S
        wait_until(lambda: stamp_of(self.last) >= due, f'{due} on {self.topic}')


def stamp_of(message: Any) -> float:
    """Returns the stamp in seconds, to the nanosecond."""
    return round(seconds(message.header.stamp), 9)


class Sensing:
    """A paused server with plugins, and a client that subscribes to topics for a test."""

    def __init__(
        self,
        serve: Callable[..., Any],
        domain: int,
        xml: str,
        plugins: Sequence[dict[str, Any]],
        parameters: dict[str, Any],
    ) -> None:
        given = {
            'unpause': False, 'joint_states_rate': 0.0, 'report_interval': 0.0,
            'model_guard': False,  # the other process would take longer than the test
            **parameters,
        }  # fmt: skip
        if plugins:
            given['MujocoPlugins'] = json.dumps(plugins)
        self.server = serve(mujoco_xml=xml, **given)
        assert self.refusals == []
        self.client = Client(domain)
        self.pauses = {0.0}
        """The times of pauses; a pause repeats the messages of its time at any rate."""
        self._heard: list[Heard] = []

    def close(self) -> None:
        self.client.close()

    @property
    def simulation(self) -> Any:
        return self.server.simulation

    @property
    def refusals(self) -> list[str]:
        """Returns the errors of plugins that are not ready."""
        return list(self.server.assembly.host.refusals)

    def plugin(self, name: str) -> Any:
        return next(each.plugin for each in self.server.assembly.host.plugins if each.name == name)

    def configure(self, name: str, **values: Any) -> Any:
        """Sets live values of a plugin as a session does; returns the error if rejected."""
        assembly = self.server.assembly
        hosted = next(each for each in assembly.host.plugins if each.name == name)
        made = changed_live(hosted.plugin.config, values, name)
        return assembly.configure(hosted, made).result(DEADLINE_S)

    def hear(self, kind: Any, topic: str, rate_hz: float = 100.0) -> Heard:
        """Subscribes, and waits for the current message, which a pause repeats."""
        return self.hear_all({topic: kind}, rate_hz)[0]

    def hear_all(self, kinds: Mapping[str, Any], rate_hz: float = 100.0) -> list[Heard]:
        """Subscribes to topics of the given types, and waits for a message on each."""
        made = [Heard(self.client, kind, topic, rate_hz) for topic, kind in kinds.items()]
        self._heard += made
        for heard in made:
            wait_until(
                lambda each=heard: each.messages or self.refusals, f'a message on {heard.topic}'
            )
        assert self.refusals == []
        return made

    def frames(self, names: Set[str]) -> dict[str, Any]:
        """Returns the transforms of these frames on /tf_static, by name, once all are there."""
        from tf2_msgs.msg import TFMessage

        came: list[Any] = []
        qos = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.client.node.create_subscription(TFMessage, '/tf_static', came.append, qos)

        def found() -> dict[str, Any]:
            told = [each for message in tuple(came) for each in message.transforms]
            return {each.child_frame_id: each for each in told if each.child_frame_id in names}

        wait_until(lambda: found().keys() == names, f'all of the frames {sorted(names)}')
        return found()

    def call(self, function: Callable[..., Any]) -> Any:
        """Calls `function(model, data)` on the physics thread between two steps."""
        return self.simulation.submit(function).result(DEADLINE_S)

    def step(self, count: int) -> None:
        """Steps, and waits for the last message of each subscribed topic."""
        for made in [_AT_ONCE] * (count // _AT_ONCE) + [count % _AT_ONCE]:
            if made:
                self.simulation.step(made).result(DEADLINE_S)
                self.pauses.add(round(self.simulation.time, 9))
                for heard in self._heard:
                    heard.wait_for(self.simulation.time)
