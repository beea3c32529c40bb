"""Starts the real server as a process and talks to it over DDS, each test on its own domain."""

from __future__ import annotations

import codecs
import fcntl
import itertools
import os
import select
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import rclpy
import yaml
from deadline import DEADLINE_S
from rcl_interfaces.msg import Parameter as ParameterMessage
from rcl_interfaces.srv import (
    GetParameters,
    ListParameters,
    SetParameters,
    SetParametersAtomically,
)
from rclpy.action import ActionClient
from rclpy.context import Context
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.exceptions import InvalidHandle
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from std_srvs.srv import SetBool, Trigger

from mujoco_ros_py.processes import Copy
from mujoco_ros_py.ros.fast_dds import remove_half_made_ports
from mujoco_ros_py.ros.node_end import end_node
from mujoco_ros_py.testing.server_program import OWN, copied_server

_numbers = itertools.count()
_LOST_S = 5.0
_GOAL_LOST_S = 20.0
"""A goal that is sent again has been carried out twice, if the answer was only late."""
_END_S = 10.0
_DISCOVERED_S, _QUIET_S = 0.4, 0.05
"""How long a client lives at least, and how long it stands still at its end: it discovers most at
its beginning, and when others come and go."""

PENDULUM = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body name="rod" pos="0 0 1">
      <joint name="hinge" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02"/>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
</mujoco>
"""


def parameter_file(path: Path, parameters: Mapping[str, Any]) -> Path:
    """Writes a ROS parameter file for every node."""
    path.write_text(
        yaml.safe_dump({'/**': {'ros__parameters': dict(parameters)}}, sort_keys=False)
    )
    return path


_ENDING_WITH_US = ['setpriv', '--pdeathsig', 'KILL'] if shutil.which('setpriv') else []
"""The kernel ends a process that is started by this as soon as the tests are killed."""


class Process:
    """A process of an executable of the package, whose output is kept."""

    def __init__(
        self,
        module: str,
        args: list[str],
        domain: int,
        *,
        before: Sequence[str] = (),
        copied: bool = False,
        **environment: str,
    ) -> None:
        """Starts `python -m module`, or a copy of a process that has imported the server.

        `before` is a command that runs the one which follows it.
        """
        env = {**os.environ, 'ROS_DOMAIN_ID': str(domain), 'PYTHONUNBUFFERED': '1', **environment}
        self.start_s = 0.0
        """What the start took, once it is over."""
        self._pipe, output = os.pipe()
        self._process: subprocess.Popen[bytes] | Copy
        try:
            if copied:
                self._process = copied_server(args, env, output, [])
            else:
                command = [*_ENDING_WITH_US, *before, sys.executable, '-m', module, *args]
                self._process = subprocess.Popen(
                    command, env=env, stdout=output, stderr=subprocess.STDOUT
                )
        finally:
            os.close(output)
        os.set_blocking(self._pipe, False)
        self._taking = threading.Lock()
        self._decoder = codecs.getincrementaldecoder('utf-8')('replace')
        self._output: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def output(self) -> str:
        """The output so far, including all that was written before the process answered."""
        self._take()
        return ''.join(self._output)

    @property
    def lines(self) -> list[str]:
        return self.output.splitlines(keepends=True)

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def wait(self, deadline_s: float = DEADLINE_S) -> int:
        """Waits for the end of the process, and returns the exit code."""
        code = self._process.wait(deadline_s)
        self._reader.join(DEADLINE_S)
        return code

    def __del__(self) -> None:
        os.close(self._pipe)

    def running(self) -> bool:
        return self._process.poll() is None

    def end(self) -> None:
        """Ends the process gracefully if it can, as a killed one leaves its shared memory."""
        if self.running():
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_END_S)
        self.kill()

    def kill(self) -> None:
        if self.running():
            self._process.kill()
            self.wait()

    def wait_for_output(self, text: str) -> None:
        def written() -> bool:
            running = self.running()  # before the look: what it wrote last is in the output
            assert text in self.output or running, f'it ended without {text!r}:\n{self.output}'
            return text in self.output

        wait_until(written, f'{text!r} in the output:\n', process=self)

    def _read(self) -> None:
        """Reads the output until the other end is closed, so that the pipe does not fill up."""
        while self._take():
            select.select([self._pipe], [], [])

    def _take(self) -> bool:
        """Reads the present output; returns whether more may come."""
        with self._taking:
            with suppress(BlockingIOError):
                while chunk := os.read(self._pipe, 1 << 16):
                    self._output.append(self._decoder.decode(chunk))
                return False
            return True


def wait_until(
    condition: Callable[[], Any],
    what: str,
    timeout_s: float = DEADLINE_S,
    process: Process | None = None,
) -> Any:
    """Returns the first true value of the condition; AssertionError after the deadline."""
    deadline = time.monotonic() + timeout_s
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f'not within {timeout_s} s: {what}{process and process.output}')
        time.sleep(0.005)


def answered(send: Callable[[], Any], what: str, lost_s: float = _LOST_S) -> Any:
    """Calls `send`, which returns a future, until there is an answer, and returns the answer.

    The answer to a client that has come up just now may be lost: the client has found the server,
    and the server has not found the client yet.
    """
    sent: list[Any] = []

    def done() -> Any:
        if not sent or time.monotonic() > sent[-1][0] + lost_s:
            sent.append((time.monotonic(), send()))
        return next((future for _, future in sent if future.done()), None)

    return wait_until(done, f'an answer of {what}').result()


def answered_goal(actions: Any, goal: Any, feedback: Callable[[Any], None] | None = None) -> Any:
    """Sends a goal until there is an answer, and returns its handle.

    `feedback` is called with all that arrives before the result.
    """
    return answered(
        lambda: actions.send_goal_async(goal, feedback_callback=feedback), 'a goal', _GOAL_LOST_S
    )


class Client:
    """A node of the test, spun on a thread."""

    def __init__(self, domain: int, server: str = '/mujoco_server') -> None:
        self._context = Context()
        remove_half_made_ports()  # of servers that tests have killed
        rclpy.init(context=self._context, domain_id=domain)
        self.node = Node(f'client_{next(_numbers)}', context=self._context)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)
        self._server = server
        self._clients: dict[str, Any] = {}
        self._action_clients: dict[str, ActionClient[Any, Any, Any]] = {}
        self._subscriptions: list[Any] = []
        self._closing = False
        self._begin = time.monotonic()
        self._thread = threading.Thread(target=self._spin, daemon=True)
        self._thread.start()

    def close(self) -> None:
        if self._closing:
            return
        self._closing = True
        # A shutdown takes away what would wake the thread: the thread ends first.
        self._executor.create_task(lambda: None)
        self._thread.join(DEADLINE_S)
        self._executor.shutdown()
        for actions in self._action_clients.values():
            actions.destroy()  # the node leaves them, and others would see them
        # Fast DDS hangs if it discovers something right now; see `end_node`.
        time.sleep(max(_QUIET_S, self._begin + _DISCOVERED_S - time.monotonic()))
        end_node(self.node)
        self._context.try_shutdown()

    def _spin(self) -> None:
        try:
            while not self._closing and self._context.ok():
                self._executor.spin_once()
        except (InvalidHandle, AttributeError):
            if not self._closing:  # the executor would be destroyed while it is running
                raise

    def new_node(self, name: str, **parameters: Any) -> Node:
        """Makes another node, which is spun along with the client's."""
        overrides = [Parameter(key, value=value) for key, value in parameters.items()]
        node = Node(name, context=self._context, parameter_overrides=overrides)
        self._executor.add_node(node)
        return node

    def run_in_executor(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a function on the thread that spins, and returns what it returns.

        Whatever the executor looks at is to be destroyed there: rclpy's executor ends if it comes
        upon what another thread destroys.
        """
        called = self._executor.create_task(function, *arguments)
        wait_until(called.done, f'a call of {function}')
        return called.result()

    def actions(self, kind: Any, name: str) -> ActionClient[Any, Any, Any]:
        """Returns the client of an action.

        It is made on the thread that spins: rclpy shows a client to the executor before the client
        is whole. It is kept until the end: rclpy's executor does not bear that it goes.
        """
        if name not in self._action_clients:
            self._action_clients[name] = self.run_in_executor(ActionClient, self.node, kind, name)
        return self._action_clients[name]

    def call_async(self, kind: Any, name: str, request: Any) -> Any:
        """Returns the future of a call; `name` is absolute or relative to the server's node."""
        full = name if name.startswith('/') else f'{self._server}/{name}'
        if full not in self._clients:
            self._clients[full] = self.node.create_client(kind, full)
        client = self._clients[full]
        wait_until(client.service_is_ready, full)  # rclpy looks four times a second only
        return client.call_async(request)

    def call(self, kind: Any, name: str, request: Any) -> Any:
        """Calls a service, and returns the answer.

        Requests for parameters may be made twice, see `answered`; the server itself sees to the
        answers of its other services.
        """
        if kind.__module__.startswith('rcl_interfaces'):
            return answered(lambda: self.call_async(kind, name, request), name)
        future = self.call_async(kind, name, request)
        wait_until(future.done, f'an answer of {name}')
        return future.result()

    def trigger(self, name: str) -> Trigger.Response:
        return self.call(Trigger, name, Trigger.Request())

    def pause(self, paused: bool) -> SetBool.Response:
        return self.call(SetBool, 'set_pause', SetBool.Request(data=paused))

    def set_parameters(self, *, atomically: bool = False, **values: Any) -> list[Any]:
        """Sets parameters and returns the results; two underscores in a name are a dot."""
        parameters = [parameter_message(n.replace('__', '.'), v) for n, v in values.items()]
        if atomically:
            request = SetParametersAtomically.Request(parameters=parameters)
            return [
                self.call(SetParametersAtomically, 'set_parameters_atomically', request).result
            ]
        request = SetParameters.Request(parameters=parameters)
        return list(self.call(SetParameters, 'set_parameters', request).results)

    def get_parameter(self, name: str) -> Any:
        request = GetParameters.Request(names=[name])
        return self.call(GetParameters, 'get_parameters', request).values[0]

    def all_parameters(self) -> dict[str, Any]:
        """Returns the values of all parameters of the server by name."""

        def read() -> dict[str, Any]:
            found = self.call(ListParameters, 'list_parameters', ListParameters.Request())
            names = list(found.result.names)
            request = GetParameters.Request(names=names)
            values = self.call(GetParameters, 'get_parameters', request).values
            # No values come if a parameter has been removed since, as that of a topic
            return dict(zip(names, values, strict=True)) if len(values) == len(names) else {}

        return wait_until(read, 'all parameters')

    def forget_subscriptions(self) -> None:
        """Destroys the subscriptions that `collect` has made."""
        while self._subscriptions:
            subscription = self._subscriptions.pop()
            self.run_in_executor(self.node.destroy_subscription, subscription)

    def collect(
        self,
        kind: Any,
        topic: str,
        reliable: bool = True,
        found: Callable[[Any], None] | None = None,
        latched: bool = False,
    ) -> list[Any]:
        """Returns a list that grows with each message; calls `found` at each publisher found."""
        policy = ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT
        durability = DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE
        messages: list[Any] = []
        qos = QoSProfile(depth=1000, reliability=policy, durability=durability)
        events = SubscriptionEventCallbacks(matched=found)
        self._subscriptions.append(
            self.node.create_subscription(
                kind, topic, messages.append, qos, event_callbacks=events
            )
        )
        return messages

    def feedback(self, kind: Any, action: str) -> list[Any]:
        """Returns a list that grows with the feedback of all goals of an action.

        A client of the action drops what arrives after the result.
        """
        found: list[Any] = []
        topic = f'{action}/_action/feedback'
        messages = self.collect(kind.Impl.FeedbackMessage, topic, found=found.append)
        wait_until(lambda: found, f'the publisher of {topic}')
        return messages

    def diagnostics(self) -> dict[str, Any]:
        """Returns the state from now on: (level, message, values) by the status's short name."""
        from diagnostic_msgs.msg import DiagnosticArray

        now, messages = time.time(), self.collect(DiagnosticArray, '/diagnostics')

        def later() -> Any:  # the server may have looked before, and publish now
            return next((each for each in messages if seconds(each.header.stamp) > now), None)

        array = wait_until(later, 'diagnostics')
        return {
            status.name.partition(': ')[2]: (
                status.level,
                status.message,
                {pair.key: pair.value for pair in status.values},
            )
            for status in array.status
        }


def seconds(stamp: Any) -> float:
    """Returns the seconds of a builtin_interfaces/Time."""
    return stamp.sec + stamp.nanosec * 1e-9


def wait_for_rate(messages: list[Any], stamp: Callable[[Any], Any], rate_hz: float) -> None:
    """Waits until the newest messages have this rate in Hz, by their stamps.

    On a busy machine one message may be late, and then the next one is dropped: such a gap is
    ignored.
    """

    def kept() -> bool:
        times = [seconds(stamp(message)) for message in messages[-40:]]
        gaps = [rate_hz * (after - before) for before, after in pairwise(times)]
        near = [gap for gap in gaps if gap < 1.6]
        return len(near) > 0.8 * len(gaps) > 20 and 0.95 < statistics.mean(near) < 1.05

    wait_until(kept, f'{rate_hz} Hz')


def parameter_message(name: str, value: Any) -> ParameterMessage:
    return Parameter(name, value=value).to_parameter_msg()


@contextmanager
def free_domain() -> Iterator[int]:
    """Yields a ROS domain that no other test on this machine uses now.

    101 is the last domain that is safe on every system.
    """
    for number in range(1, 102):
        with (Path(tempfile.gettempdir()) / f'mujoco_ros_py_domain_{number}').open('w') as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            remove_half_made_ports()
            yield number
            return
    raise AssertionError('all ROS domains are taken by other tests')


def server_process(
    folder: Path,
    domain: int,
    parameters: Mapping[str, Any],
    *ros_args: str,
    before: Sequence[str] = (),
    fresh: bool = False,
    **environment: str,
) -> Process:
    """Starts the server with these parameters; the caller ends it.

    It is a copy of a process that has imported the server, which starts in a tenth of the time,
    unless it is to be `fresh`, or needs a command before it or variables that matter to imports.
    Without MujocoPlugins the parameter is set to no plugins, so that the server looks for no
    parameter server; None leaves the parameter out.
    """
    told = any(name.startswith('MujocoPlugins') for name in parameters)
    given = {**({} if told else {'MujocoPlugins': '[]'}), **parameters}
    given = {name: value for name, value in given.items() if value is not None}
    file = parameter_file(folder / 'parameters.yaml', given)
    args = ['--ros-args', '--params-file', str(file), *ros_args]
    copied = not fresh and not before and environment.keys() <= OWN
    return Process('mujoco_ros_py', args, domain, before=before, copied=copied, **environment)


def refusal_at_start(
    folder: Path, domain: int, parameters: Mapping[str, Any], before: Sequence[str] = ()
) -> str:
    """Returns the error of a server that ends at once because its parameters are invalid."""
    process = server_process(folder, domain, parameters, before=before)
    try:
        code = process.wait()
    finally:
        process.kill()
    assert code == 2, f'exit code {code}:\n{process.output}'
    assert 'Traceback' not in process.output, process.output
    said = [line for line in process.lines if line.startswith('mujoco_server: ')]
    assert len(said) == 1, process.output
    return process.output[process.output.index(said[0]) :].strip()


@contextmanager
def running_server(
    folder: Path,
    domain: int,
    parameters: Mapping[str, Any],
    *ros_args: str,
    node: str = '/mujoco_server',
    fresh: bool = False,
    **environment: str,
) -> Iterator[tuple[Process, Client]]:
    """Runs a server with these parameters and a client inside the context.

    `node` is the full name of the server's node, if the arguments change it; see `server_process`.
    """
    begin = time.monotonic()
    process = server_process(folder, domain, parameters, *ros_args, fresh=fresh, **environment)
    try:
        process.wait_for_output(f'] [{node[1:].replace("/", ".")}]: loaded ')
        process.start_s = time.monotonic() - begin
        # Now, as two that come up together may take three seconds to find each other.
        client = Client(domain, node)
        try:
            yield process, client
        finally:
            client.close()
    finally:
        process.end()
