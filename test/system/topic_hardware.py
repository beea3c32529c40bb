"""JointStateTopicSystem of ros2_control, as far as a simulator hears and sees of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rclpy.qos import QoSProfile, qos_profile_sensor_data
from sensor_msgs.msg import JointState

KINDS = ('position', 'velocity', 'effort')


class TopicHardware:
    """The hardware component of a controller manager, updated with each state that comes.

    `joints` has the command interfaces of each joint, and `states` its state interfaces where it
    has not all three. A finite state without an interface is an error, after which the hardware is
    unconfigured: it neither reads nor writes any more. `mimics` has the joint, the multiplier and
    the offset that each mimic joint follows by, as in a URDF: the hardware computes its state, and
    does not take it from a message. `topics` is what the names of both topics begin with. The
    commands of interfaces that no controller has claimed are NaN.
    """

    def __init__(
        self,
        client: Any,
        joints: Mapping[str, Sequence[str]],
        *,
        states: Mapping[str, Sequence[str]] | None = None,
        mimics: Mapping[str, tuple[str, float, float]] | None = None,
        threshold: float = 1e-5,
        topics: str = '/robot_joint_',
    ) -> None:
        self._joints, self._mimics, self._threshold = joints, mimics or {}, threshold
        self.commands = {
            (joint, kind): math.nan for joint, kinds in joints.items() for kind in kinds
        }
        self._declared = dict.fromkeys(joints, KINDS) | dict(states or {})
        self.error = ''
        """What the hardware has said as it was unconfigured."""
        self.state: dict[tuple[str, str], float] = {}
        self.states: list[JointState] = []
        self.written = 0
        """How many commands have been published."""
        self._client, node = client, client.node
        self.publisher = node.create_publisher(
            JointState, f'{topics}commands', QoSProfile(depth=1)
        )
        self._subscription = node.create_subscription(
            JointState, f'{topics}states', self._update, qos_profile_sensor_data
        )

    def close(self) -> None:
        node = self._client.node
        self._client.run_in_executor(node.destroy_subscription, self._subscription)
        self.disappear()

    def disappear(self) -> None:
        """Publishes no more, as a hardware whose process has ended."""
        self._client.run_in_executor(self._client.node.destroy_publisher, self.publisher)

    def command(self, kind: str, **values: float) -> None:
        """Sets commands, as controllers do."""
        for joint, value in values.items():
            self.commands[joint, kind] = value

    def _update(self, state: JointState) -> None:
        """Reads and writes, as the controller manager does in each period."""
        if self.error:
            return
        try:
            self.read(state)
        except RuntimeError as error:
            self.error = str(error)
            return
        self.write(state.header)
        self.states.append(state)

    def read(self, state: JointState) -> None:
        """Takes a state; an array that is neither empty nor long enough is an error.

        Raises RuntimeError for the state of an interface that is not declared.
        """
        for place, joint in enumerate(state.name):
            for kind in KINDS:
                values = getattr(state, kind)
                if len(values) and joint in self._joints and math.isfinite(values[place]):
                    if kind not in self._declared[joint]:
                        raise RuntimeError(f"state interface not found: '{joint}/{kind}'")
                    self.state[joint, kind] = values[place]
        for joint, (leader, multiplier, offset) in self._mimics.items():
            position, velocity = (
                self.state.get((leader, kind), math.nan) for kind in ('position', 'velocity')
            )
            self.state[joint, 'position'] = offset + multiplier * position
            self.state[joint, 'velocity'] = multiplier * velocity

    def write(self, header: Any) -> None:
        """Publishes the commands if they differ from the state."""
        difference = sum(
            abs(self.state.get(key, math.nan) - command) for key, command in self.commands.items()
        )
        if difference <= self._threshold:  # false for NaN
            return
        message = JointState(header=header, name=list(self._joints))
        for kind in KINDS:
            with_it = [joint for joint, kinds in self._joints.items() if kind in kinds]
            setattr(message, kind, [self.commands[joint, kind] for joint in with_it])
        self.publisher.publish(message)
        self.written += 1
