"""Action clients that plugins create on the node."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from deadline import DEADLINE_S
from rclpy.action import ActionClient, ActionServer
from system.harness import wait_until

from mujoco_ros_py.errors import PluginError
from mujoco_ros_py.ros.entities import action_node
from mujoco_ros_py.ros.entities.node_keeper import NodeKeeper
from mujoco_ros_py.simulation import Owner

pytest.importorskip('tf2_msgs', reason='tf2_msgs is not there')
from tf2_msgs.action import LookupTransform


class Caller:
    """An action client of a plugin, with its owner."""

    def __init__(self, node: Any, faults: list[BaseException]) -> None:
        self.owner = Owner('plugin', lambda where, error: faults.append(error))
        self.feedback: list[Any] = []
        with self.owner.at('load'):
            self.client = ActionClient(node, LookupTransform, '/look')

    def call(self, then: Callable[[Any], object] = lambda feedback: None) -> str:
        """Sends goals until one is accepted and feedback has arrived; returns the result.

        Messages sent before both nodes have discovered each other are lost, and services may be
        discovered before topics.
        """
        sent: list[Any] = []

        def hear(feedback: Any) -> None:
            self.feedback.append(feedback)
            then(feedback)

        def accepted() -> Any:
            goal = LookupTransform.Goal(source_frame='arm')
            sent.append(self.client.send_goal_async(goal, feedback_callback=hear))
            done = next((each.result() for each in sent if each.done()), None)
            return self.feedback and done

        result = wait_until(accepted, 'a goal is accepted, with feedback').get_result_async()
        wait_until(result.done, 'a result')
        return result.result().result.error.error_string


@pytest.fixture
def keeper(new_node, new_keeper) -> NodeKeeper:
    """The keeper of a node, next to a node that offers the action."""
    server = new_node('server')

    def execute(goal: Any) -> LookupTransform.Result:
        goal.publish_feedback(LookupTransform.Feedback())
        goal.succeed()
        result = LookupTransform.Result()
        result.error.error_string = goal.request.source_frame
        return result

    ActionServer(server, LookupTransform, '/look', execute)
    return new_keeper('n')


@pytest.fixture
def node(keeper) -> Any:
    return keeper.node


def served(keeper: NodeKeeper) -> list[Any]:
    waitables = [*keeper.node.waitables, *keeper.actions.waitables]
    return [each for each in waitables if isinstance(each, ActionClient)]


def said_of_actions(caplog: Any) -> list[str]:
    """Returns the log lines of the action thread; threads of earlier tests may log too."""
    return [each.getMessage() for each in caplog.records if each.name == action_node.__name__]


def called_and_unloaded(node: Any) -> weakref.ref[Any]:
    caller = Caller(node, [])
    assert caller.call() == 'arm'
    caller.owner.end()
    return weakref.ref(caller.client)


def test_a_client_of_an_action_works_and_is_gone_when_its_plugin_is_unloaded(keeper, node):
    gone = [called_and_unloaded(node) for _ in range(3)]
    wait_until(lambda: not served(keeper), 'no client is served')
    wait_until(lambda: gc.collect() + 1 and not any(each() for each in gone), 'all are forgotten')


def test_a_client_that_its_plugin_has_destroyed_is_not_missed_at_the_unload(keeper, node, caplog):
    caller = Caller(node, [])
    caller.call()
    caller.client.destroy()
    caller.owner.end()
    other = Caller(node, [])
    assert other.call() == 'arm'
    wait_until(lambda: len(served(keeper)) == 1, 'the last one alone is served')
    assert said_of_actions(caplog) == []


def test_a_client_that_is_destroyed_at_once_is_never_served(keeper, node, caplog):
    """The two nodes meet first: without that, one of 30 runs of bare rclpy hung forever too.

    Fast DDS never announces the last client to the other participant if twenty clients are created
    and destroyed while the participants discover each other.
    """
    called_and_unloaded(node)
    for _ in range(20):
        Caller(node, []).client.destroy()
    assert Caller(node, []).call() == 'arm'
    wait_until(lambda: len(served(keeper)) == 1, 'the last one alone is served')
    assert said_of_actions(caplog) == []


def test_what_a_function_for_feedback_raises_is_told_to_its_plugin(node):
    faults: list[BaseException] = []
    Caller(node, faults).call(lambda feedback: 1 / 0)
    wait_until(lambda: faults, 'the fault is told')
    assert {type(each) for each in faults} == {ZeroDivisionError}


def test_a_plugin_cannot_make_an_action_on_the_node_and_is_told_how(node):
    owner = Owner('plugin', lambda where, error: None)
    with owner.at('load'), pytest.raises(PluginError, match=r'self\.ros\.create_action_server'):
        ActionServer(node, LookupTransform, '/other', print)


CODE = """
import sys, threading
from queue import SimpleQueue
sys.setswitchinterval(1e-4)
import rclpy
from rclpy.action import ActionClient
from tf2_msgs.action import LookupTransform
from mujoco_ros_py.ros.node_process import Spinner, make_node
from mujoco_ros_py.simulation import Owner

keeper = make_node(['node'], 'node')
node, spinner = keeper.node, Spinner(keeper, SimpleQueue())
spinner.start()
for turn in range(20):
    owner = Owner('plugin', print)
    with owner.at('load'):
        client = ActionClient(node, LookupTransform, '/look')
    accepted = threading.Event()
    while not accepted.wait(0.01):  # goals are lost before the two have met
        for _ in range(5):
            goal = client.send_goal_async(LookupTransform.Goal())
            goal.add_done_callback(lambda _: accepted.set())
    owner.end()  # while the other answers come
spinner.close()
node.destroy_node()
print('gone')
del spinner
rclpy.try_shutdown()
"""


@pytest.mark.slow
def test_clients_that_go_while_answers_come_do_not_end_the_process(domain, node):
    done = subprocess.run(
        [sys.executable, '-c', CODE],
        env={**os.environ, 'ROS_DOMAIN_ID': str(domain)},
        capture_output=True, text=True, timeout=DEADLINE_S, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, 'gone\n'), done.stderr
