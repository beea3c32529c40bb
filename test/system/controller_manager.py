"""A controller manager in a process of its own, as far as a simulator hears and sees of it.

As `ros2_control_node` in simulated time, it has one thread for the clock, one for the hardware,
one for its services and one that makes the updates, which sleeps until the next one. After a jump
back it therefore makes no update until the old time comes again. Then it sends the commands that
it has, whether its controller is active or not. The stamps are those of the clock of the
hardware's node.

Its one controller forwards the numbers of `/forward_controller/commands`, one for each command
interface, and begins with NaN. `/forward_controller/activate` switches it, in the next update, and
fails if none comes. Another controller follows `/trajectory_controller/joint_trajectory` as
JointTrajectoryController does: from the next update on, by a cubic spline from the state of then.
Each update is a line of output: its time in ns.

The argument is a JSON object with `joints` (of `TopicHardware`), further arguments of that, and
those of `Manager`.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

import rclpy
from rclpy.duration import Duration
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from rclpy.qos import QoSProfile
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray, Header
from std_srvs.srv import SetBool
from trajectory_msgs.msg import JointTrajectory

from .harness import Client, Process, seconds, wait_until
from .topic_hardware import TopicHardware

FOLLOWING = 'follows a trajectory'


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
            times = self.all_updates()
            return times[first : first + count] if len(times) >= first + count else []

        return wait_until(made, f'{count} updates after {first}:\n', process=self)

    def all_updates(self) -> list[int]:
        """Returns the times of all updates so far in ns."""
        assert self.running(), f'the manager has ended:\n{self.output}'
        return [int(line) for line in self.output.split('\n')[:-1] if line.isdigit()]


def begin_periods(client: Client, joint: str) -> None:
    """Answers the state of 0 s in place of the manager, which waits for a time that is not 0."""
    node = client.node
    publisher = node.create_publisher(JointState, '/robot_joint_commands', QoSProfile(depth=1))
    wait_until(publisher.get_subscription_count, 'the hardware')
    wait_until(lambda: node.count_publishers('/robot_joint_commands') == 2, 'the manager')
    publisher.publish(JointState(name=[joint], position=[0.0]))
    assert publisher.wait_for_all_acked()
    client.run_in_executor(node.destroy_publisher, publisher)


class ManagedHardware(TopicHardware):
    """The hardware component; it is updated when the manager wants it."""

    newest: JointState | None = None

    def _update(self, state: JointState) -> None:
        self.newest = state

    def read_newest(self) -> None:
        """Reads the newest state, if one has come since the last time."""
        state, self.newest = self.newest, None
        if state is not None:
            self.read(state)


class Trajectory:
    """The way from the state of a time to the one point of a trajectory, where it rests."""

    def __init__(self, message: JointTrajectory, state: dict[Any, float], begin_ns: int) -> None:
        (point,) = message.points
        self._end, self._begin_ns = seconds(point.time_from_start), begin_ns
        self._ways = {
            name: (state[name, 'position'], state[name, 'velocity'], end)
            for name, end in zip(message.joint_names, point.positions, strict=True)
        }

    def at(self, time_ns: int) -> dict[tuple[str, str], float]:
        """Returns the positions and velocities of a time."""
        end = self._end
        t = min((time_ns - self._begin_ns) / 1e9, end)
        found = {}
        for name, (first, velocity, last) in self._ways.items():
            square = (3 * (last - first) - 2 * velocity * end) / end**2
            cube = (velocity * end - 2 * (last - first)) / end**3
            found[name, 'position'] = first + t * (velocity + t * (square + t * cube))
            found[name, 'velocity'] = velocity + t * (2 * square + t * 3 * cube)
        return found


class Manager:
    """Updates the hardware and the controllers in each period of its clock."""

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
        self._use_sim_time = use_sim_time
        self._executors: list[SingleThreadedExecutor] = []
        self._node = self._spun('controller_manager')
        self._component = self._spun('hardware')
        client = type('Client', (), {'node': self._component})
        self._hardware = ManagedHardware(client, **hardware)
        self._active = self._wanted = True
        self._numbers = commands or []
        controllers = self._spun('controllers')
        controllers.create_subscription(
            Float64MultiArray, '/forward_controller/commands', self._take, 1
        )
        controllers.create_service(SetBool, '/forward_controller/activate', self._switch)
        self._goal: JointTrajectory | None = None
        self._trajectory: Trajectory | None = None
        controllers.create_subscription(
            JointTrajectory, '/trajectory_controller/joint_trajectory', self._pursue, 1
        )

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
            self._hardware.read_newest()
            self._active = self._wanted
            if self._active and self._numbers:
                keys = self._hardware.commands
                keys.update(zip(keys, self._numbers, strict=True))
            self._follow(now.nanoseconds)
            if not self._own_stamps:
                stamp = now
            elif not self._repeat_each or count % self._repeat_each:
                stamp = self._component.get_clock().now()
            self._hardware.write(Header(stamp=stamp.to_msg()))
            print(now.nanoseconds, flush=True)
            if self._own_stamps:
                clock.sleep_until(now + self._period)
                continue
            while rclpy.ok() and clock.now() < now + self._period:
                time.sleep(0.0005)

    def close(self) -> None:
        """Destroys the nodes, so that they leave no shared memory behind."""
        for executor in self._executors:
            nodes = executor.get_nodes()
            executor.shutdown()
            for node in nodes:
                node.destroy_node()

    def _spun(self, name: str) -> Any:
        """Returns a node with a thread of its own."""
        overrides = [Parameter('use_sim_time', value=self._use_sim_time)]
        node = rclpy.create_node(name, parameter_overrides=overrides)
        executor = SingleThreadedExecutor()
        executor.add_node(node)
        self._executors.append(executor)
        threading.Thread(target=executor.spin, daemon=True).start()
        return node

    def _follow(self, time_ns: int) -> None:
        """Commands what the trajectory has at a time, of the kinds that the joints take."""
        if self._goal is not None and self._hardware.state:
            goal, self._goal = self._goal, None
            self._trajectory = Trajectory(goal, self._hardware.state, time_ns)
            print(FOLLOWING, flush=True)
        if self._trajectory is not None:
            wanted, commands = self._trajectory.at(time_ns), self._hardware.commands
            commands.update((key, wanted[key]) for key in commands if key in wanted)

    def _pursue(self, goal: JointTrajectory) -> None:
        self._goal = goal

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


def _run(manager: Manager) -> None:
    try:
        manager.run()
    except BaseException:
        traceback.print_exc()
        os._exit(1)


if __name__ == '__main__':
    # A sleep until a time of /clock that does not come would outlast a signal.
    endings = signal.SIGINT, signal.SIGTERM
    signal.pthread_sigmask(signal.SIG_BLOCK, endings)
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    manager = Manager(**json.loads(sys.argv[1]))
    threading.Thread(target=_run, args=[manager], daemon=True).start()
    signal.sigwait(endings)
    manager.close()
    os._exit(0)
