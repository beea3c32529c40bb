"""Wheels whose motors a client commands in lockstep, so that each step is known exactly.

All wheels have the inertia 1 kg m², no friction and no gravity.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import yaml
from rclpy.qos import QoSProfile
from sensor_msgs.msg import JointState

from .harness import Client, seconds, wait_until

STEP_S = 0.001
COMMANDS = '/robot_joint_commands'
DEPTH, WARM_UP = 10_000, 100
_WHEEL = """
    <body name="{0}">
      <joint name="{0}" axis="0 0 1"/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
    </body>"""


def model_of(groups: dict[str, int]) -> str:
    """A model with wheels and motors of these names; the values are the groups of the motors."""
    bodies = ''.join(_WHEEL.format(name) for name in groups)
    motors = ''.join(
        f'<motor name="{name}" joint="{name}" group="{group}"/>' for name, group in groups.items()
    )
    sensors = ''.join(f'<jointpos name="{name}" joint="{name}"/>' for name in groups)
    return f"""<mujoco><option timestep="{STEP_S}" gravity="0 0 0"/>
      <worldbody>{bodies}</worldbody>
      <actuator>{motors}</actuator><sensor>{sensors}</sensor></mujoco>"""


def lockstep_of(groups: dict[str, int], plugins: Sequence[Any], **given: Any) -> dict[str, Any]:
    """The parameters of a server that awaits a command in each step, without imperfections."""
    hardware = {
        'type': 'mujoco_ros_py/TopicBasedHardware', 'name': 'hardware',
        'joints': dict.fromkeys(groups, 'effort'), 'ignore_old_commands_after_reset': False,
    }  # fmt: skip
    return {
        'mujoco_xml': model_of(groups), 'realtime': -1.0, 'joint_states_rate': 0.0,
        'lockstep_period': STEP_S, 'lockstep_topics': [COMMANDS], 'lockstep_timeout': 0.0,
        'MujocoPlugins': yaml.safe_dump([hardware, *plugins], sort_keys=False), **given,
    }  # fmt: skip


def states(name: str, **given: Any) -> dict[str, Any]:
    """A plugin that publishes all joint states after each step on the topic `/<name>`."""
    return {'type': 'mujoco_ros_py/JointStates', 'name': name, 'topic': name, 'rate': 1 / STEP_S,
            **given}  # fmt: skip


class Controller:
    """Commands all wheels in lockstep with the states of the first topic, and hears all topics."""

    def __init__(
        self,
        client: Client,
        wheels: Sequence[str],
        topics: Sequence[str],
        effort: Callable[[int], float],
        keep: Callable[[JointState], Any] = lambda message: message,
        period: int = 1,
    ) -> None:
        """`effort` returns the command that answers a step, and `keep` what is kept of messages.

        `period` is the number of steps after which the server awaits a command.
        """
        self._client, self._wheels, self._topics = client, list(wheels), topics
        self._effort, self._keep, self._period, self._last = effort, keep, period, 0
        self.came: dict[str, list[tuple[int, int, Any]]] = {}
        """Of each topic: when a message was sent, its stamp in steps, and what was kept."""

    def run(self, steps: int, complete: Callable[[], bool]) -> None:
        """Runs from a reset until the messages are complete, and answers the first `steps`."""
        node, qos = self._client.node, QoSProfile(depth=DEPTH)
        self._publisher = node.create_publisher(JointState, COMMANDS, 10)
        wait_until(lambda: self._publisher.get_subscription_count() == 1, 'the subscription')
        subscriptions = [
            node.create_subscription(JointState, topic, self._noting(topic), qos)
            for topic in self._topics
        ]
        while self.came.keys() != set(self._topics):  # a publisher has not found the client yet
            self._run(WARM_UP, lambda: any(each[1] == WARM_UP for each in self._states))
        self._run(steps, complete)
        for each in subscriptions:
            self._client.run_in_executor(node.destroy_subscription, each)
        self._client.run_in_executor(node.destroy_publisher, self._publisher)
        begin = max(time for time, step, _ in self._states if step == 0)
        for topic, messages in self.came.items():  # without those of an earlier run
            self.came[topic] = [each for each in messages if each[0] >= begin]

    @property
    def _states(self) -> list[tuple[int, int, Any]]:
        return self.came.get(self._topics[0], [])

    def _run(self, steps: int, complete: Callable[[], bool]) -> None:
        self._last = steps
        self.came.clear()
        assert self._client.trigger('reset').success
        assert self._client.pause(False).success
        wait_until(complete, 'the messages')
        assert self._client.pause(True).success

    def _noting(self, topic: str) -> Callable[[JointState, Any], None]:
        def note(message: JointState, info: Any) -> None:
            step = round(seconds(message.header.stamp) / STEP_S)
            kept = info['source_timestamp'], step, self._keep(message)
            self.came.setdefault(topic, []).append(kept)
            if topic == self._topics[0] and step < self._last and step % self._period == 0:
                efforts = [self._effort(step)] * len(self._wheels)
                command = JointState(header=message.header, name=self._wheels, effort=efforts)
                self._publisher.publish(command)

        return note


def drive(
    client: Client, wheels: Sequence[str], efforts: Sequence[float], *topics: str
) -> list[list[JointState]]:
    """Commands an effort for all wheels in each step of a paused server, from a reset on.

    Returns the messages of each topic, by step.
    """
    last = len(efforts)
    controller = Controller(client, wheels, topics, lambda step: efforts[step])
    came = controller.came

    def complete() -> bool:
        return all(any(step == last for _, step, _ in came.get(each, ())) for each in topics)

    controller.run(last, complete)
    found = [{step: message for _, step, message in came[topic]} for topic in topics]
    return [[messages[step] for step in range(last + 1)] for messages in found]
