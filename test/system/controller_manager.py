"""A controller manager in a process of its own, as far as a simulator hears and sees of it.

As `ros2_control_node` in simulated time, it has one thread for the clock, one for the hardware and
one that makes the updates, which sleeps until the next one. After a jump back it therefore makes
no update until the old time comes again. Then it sends the commands that it has, whether its
controller is active or not. The stamps are those of the clock of the hardware's node.

Its one controller forwards the numbers of `/forward_controller/commands`, one for each command
interface, and begins with NaN. `/forward_controller/activate` switches it, in the next update. The
argument is a JSON object with `joints` (of `TopicHardware`), and further arguments of that.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from typing import Any

import rclpy
from rclpy.duration import Duration
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray, Header
from std_srvs.srv import SetBool

from .topic_hardware import TopicHardware

PERIOD_S = 0.01


class ManagedHardware(TopicHardware):
    """The hardware component; it is updated when the manager wants it."""

    newest: JointState | None = None

    def _update(self, state: JointState) -> None:
        self.newest = state

    def update(self, stamp: Any) -> None:
        """Reads the newest state, and writes the commands."""
        state, self.newest = self.newest, None
        if state is not None:
            self.read(state)
        self.write(Header(stamp=stamp))


class Manager:
    """Updates the hardware and the controller in each period of the simulated time."""

    def __init__(self, **hardware: Any) -> None:
        self._node, self._component = _spun('controller_manager'), _spun('hardware')
        client = type('Client', (), {'node': self._component})
        self._hardware = ManagedHardware(client, **hardware)
        self._active, self._wanted = True, True
        self._numbers: list[float] = []
        self._node.create_subscription(
            Float64MultiArray, '/forward_controller/commands', self._take, 1
        )
        self._node.create_service(SetBool, '/forward_controller/activate', self._switch)

    def run(self) -> None:
        """Makes the updates, for ever."""
        clock = self._node.get_clock()
        while clock.now().nanoseconds == 0:
            time.sleep(0.001)
        while True:
            now = clock.now()
            self._active = self._wanted
            if self._active and self._numbers:
                keys = self._hardware.commands
                keys.update(zip(keys, self._numbers, strict=True))
            self._hardware.update(self._component.get_clock().now().to_msg())
            clock.sleep_until(now + Duration(seconds=PERIOD_S))

    def _take(self, message: Float64MultiArray) -> None:
        if self._active:
            self._numbers = list(message.data)

    def _switch(self, request: SetBool.Request, answer: SetBool.Response) -> SetBool.Response:
        self._wanted = request.data
        answer.success = True
        return answer


def _spun(name: str) -> Any:
    """Returns a node in simulated time, with a thread of its own."""
    in_simulated_time = [Parameter('use_sim_time', value=True)]
    node = rclpy.create_node(name, parameter_overrides=in_simulated_time)
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    threading.Thread(target=executor.spin, daemon=True).start()
    return node


if __name__ == '__main__':
    rclpy.init()
    Manager(**json.loads(sys.argv[1])).run()
