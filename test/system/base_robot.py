"""A rover with a mobile base, as other programs drive and hear it over DDS."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from builtin_interfaces.msg import Time
from geometry_msgs.msg import TwistStamped
from rosgraph_msgs.msg import Clock

from .harness import Client, Process, wait_until

Odometry = pytest.importorskip('nav_msgs.msg', reason='nav_msgs is not installed').Odometry
TFMessage = pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not there').TFMessage
ROVER = 'package://mujoco_ros_py/examples/rover.xml'
BASE = {
    'type': 'mujoco_ros_py/DiffDriveController',
    'name': 'base',
    'left_wheel_names': ['left_wheel'],
    'right_wheel_names': ['right_wheel'],
    'wheel_separation': 0.32,
    'wheel_radius': 0.1,
    'pose_covariance_diagonal': [0.001, 0.002, 0.003, 0.004, 0.005, 0.006],
    'twist_covariance_diagonal': [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
}

SERVER = {
    'modelfile': ROVER,
    'MujocoPlugins': '[]',
    'realtime': 2.0,
    'render_offscreen': False,
}


class Driver:
    """Drives a base as Nav2 does, with stamps of the simulation, on a DDS participant of its own.

    One participant cannot have a topic with two types.
    """

    def __init__(self, domain: int, kind: Any, topic: str = 'cmd_vel') -> None:
        self._client, self._kind = Client(domain), kind
        self._clock = self._client.collect(Clock, '/clock', reliable=False)
        self._publisher = self._client.node.create_publisher(kind, topic, 10)
        wait_until(self._publisher.get_subscription_count, f'a subscription of {kind.__name__}')
        wait_until(lambda: self._clock, 'the clock')

    def send(self, x: float, yaw: float = 0.0, *, stamp: Time | None = None) -> None:
        """Sends a velocity with this stamp, by default that of the newest clock."""
        twist = message = self._kind()
        if self._kind is TwistStamped:
            twist, message.header.frame_id = message.twist, 'base_link'
            message.header.stamp = stamp or self._clock[-1].clock
        twist.linear.x, twist.angular.z = float(x), float(yaw)
        self._publisher.publish(message)

    def drive_until(
        self, condition: Callable[[], Any], x: float, yaw: float = 0.0, **stamp: Time
    ) -> None:
        """Sends again and again, until the condition holds."""

        def sent() -> Any:
            self.send(x, yaw, **stamp)
            return condition()

        wait_until(sent, f'what {x:g} m/s and {yaw:g} rad/s lead to')

    def close(self) -> None:
        self._client.close()


class Robot:
    """What a robot's program hears."""

    def __init__(self, process: Process, client: Client, stack: ExitStack) -> None:
        self.process, self.client, self._stack = process, client, stack
        self._begin = len(process.output)
        self.odometry = client.collect(Odometry, 'odom')
        self.truth = client.collect(Odometry, 'ground_truth')
        self.transforms = client.collect(TFMessage, '/tf')

    @property
    def output(self) -> str:
        """What the server has written since this robot was made."""
        return self.process.output[self._begin :]

    def wait_for_output(self, text: str) -> None:
        wait_until(lambda: text in self.output, text, process=self.process)

    @property
    def x(self) -> float:
        return self.odometry[-1].pose.pose.position.x if self.odometry else 0.0

    def truth_at(self, stamp: Time) -> Odometry | None:
        return next((each for each in self.truth if each.header.stamp == stamp), None)

    def driver(self, kind: Any, **topic: str) -> Driver:
        made = Driver(self.client.node.context.get_domain_id(), kind, **topic)
        self._stack.callback(made.close)
        return made

    def base_transforms(self) -> list[Any]:
        each = (transform for message in list(self.transforms) for transform in message.transforms)
        return [transform for transform in each if transform.child_frame_id == 'base_link']


@contextmanager
def robots(start: Any, share: Any) -> Iterator[Callable[..., Robot]]:
    """Yields `robot(*plugins, base=..., args=..., **parameters)`: a rover that runs.

    It has these plugins after its base; `args` are those of ROS. Robots that differ in their
    plugins alone share a server.
    """
    with ExitStack() as stack:

        def begin(
            *plugins: Any, base: Any = BASE, args: Sequence[str] = (), **parameters: Any
        ) -> Robot:
            given = {'MujocoPlugins': json.dumps([base, *plugins])}
            if args or parameters:
                return Robot(*start({**SERVER, **given, **parameters}, *args), stack)
            share(SERVER, given={'MujocoPlugins': '[]'})  # no plugin stays over the reload
            process, client = share(SERVER, given=given)
            made = Robot(process, client, stack)
            assert client.pause(False).success
            return made

        yield begin
