"""A controller manager in a process of its own, as far as a simulator hears and sees of it.

As `ros2_control_node` in simulated time, it has one thread for the clock, one for the hardware,
one for its services and one that makes the updates, which sleeps until the next one. After a jump
back it therefore makes no update until the old time comes again. Then it sends the commands that
it has, whether its controller is active or not. The stamps are those of the clock of the
hardware's node.

Its one controller forwards the numbers of `/forward_controller/commands`, one for each command
interface, and begins with NaN. `/forward_controller/activate` switches it, in the next update, and
fails if none comes. Each update is a line of output: its time in ns.

The argument is a JSON object with `joints` (of `TopicHardware`), further arguments of that, and
those of `Manager`.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

import rclpy
from rclpy.duration import Duration
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray, Header
from std_srvs.srv import SetBool

from .harness import Process, wait_until
from .topic_hardware import TopicHardware


class ManagerProcess(Process):
    """The process of a manager, and the times of its updates."""

    def __init__(self, domain: int, **options: Any) -> None:
        """`options` are those of the process."""
        path = [str(Path(__file__).parents[1]), os.environ.get('PYTHONPATH', '')]
        super().__init__(
            'system.controller_manager', [json.dumps(options)], domain,
            PYTHONPATH=os.pathsep.join(filter(None, path)),
        )  # fmt: skip
        self._read_updates = 0

    def updates(self, count: int) -> list[int]:
        """Waits for the next updates; returns their times in ns."""
        first, self._read_updates = self._read_updates, self._read_updates + count

        def made() -> list[int]:
            assert self.running(), f'the manager has ended:\n{self.output}'
            times = [int(line) for line in self.output.split('\n')[:-1] if line.isdigit()]
            return times[first : first + count] if len(times) >= first + count else []

        return wait_until(made, f'{count} updates after {first}:\n', process=self)


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
    """Updates the hardware and the controller in each period of its clock."""

    def __init__(
        self,
        *,
        period_s: float = 0.01,
        use_sim_time: bool = True,
        repeat_each: int = 0,
        own_stamps: bool = True,
        commands: list[float] | None = None,
        switch_timeout_s: float = 10.0,
        **hardware: Any,
    ) -> None:
        """`commands` are those that the controller begins with.

        One of `repeat_each` stamps equals the one before, as 2 to 12 % do with the real manager.
        Without `own_stamps`, they are those of the clock that wakes the manager, which then looks
        at that clock all the time: a sleep until a time may miss that time, if none follows it.
        """
        self._period, self._own_stamps = Duration(seconds=period_s), own_stamps
        self._repeat_each, self._switch_timeout_s = repeat_each, switch_timeout_s
        self._node = _spun('controller_manager', use_sim_time)
        self._component = _spun('hardware', use_sim_time)
        client = type('Client', (), {'node': self._component})
        self._hardware = ManagedHardware(client, **hardware)
        self._active = self._wanted = True
        self._numbers = commands or []
        controllers = _spun('controllers', use_sim_time)
        controllers.create_subscription(
            Float64MultiArray, '/forward_controller/commands', self._take, 1
        )
        controllers.create_service(SetBool, '/forward_controller/activate', self._switch)

    def run(self) -> None:
        """Makes the updates, from when somebody hears its commands."""
        while rclpy.ok() and not self._hardware.publisher.get_subscription_count():
            time.sleep(0.001)
        clock, count = self._node.get_clock(), 0
        while rclpy.ok() and clock.now().nanoseconds == 0:
            time.sleep(0.001)
        stamp = clock.now()
        while rclpy.ok():
            now, count = clock.now(), count + 1
            self._active = self._wanted
            if self._active and self._numbers:
                keys = self._hardware.commands
                keys.update(zip(keys, self._numbers, strict=True))
            if not self._own_stamps:
                stamp = now
            elif not self._repeat_each or count % self._repeat_each:
                stamp = self._component.get_clock().now()
            self._hardware.update(stamp.to_msg())
            print(now.nanoseconds, flush=True)
            if self._own_stamps:
                clock.sleep_until(now + self._period)
                continue
            while rclpy.ok() and clock.now() < now + self._period:
                time.sleep(0.0005)

    def _take(self, message: Float64MultiArray) -> None:
        if self._active:
            self._numbers = list(message.data)

    def _switch(self, request: SetBool.Request, answer: SetBool.Response) -> SetBool.Response:
        """Waits for the update that switches, as `switch_controller` does."""
        self._wanted, end = request.data, time.monotonic() + self._switch_timeout_s
        while self._active != request.data and time.monotonic() < end:
            time.sleep(0.002)
        answer.success = self._active == request.data
        if not answer.success:
            self._wanted, answer.message = self._active, 'Switch controller timed out'
        return answer


def _spun(name: str, use_sim_time: bool) -> Any:
    """Returns a node with a thread of its own."""
    overrides = [Parameter('use_sim_time', value=use_sim_time)]
    node = rclpy.create_node(name, parameter_overrides=overrides)
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    threading.Thread(target=executor.spin, daemon=True).start()
    return node


if __name__ == '__main__':
    rclpy.init()
    Manager(**json.loads(sys.argv[1])).run()
