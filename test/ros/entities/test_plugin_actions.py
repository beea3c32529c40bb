"""Actions that plugins offer, when their plugin ends."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from action_msgs.msg import GoalStatus
from deadline import DEADLINE_S
from rclpy.action import ActionClient
from system.harness import answered_goal, wait_until

from mujoco_ros_py.ros.entities import action_node, plugin_actions
from mujoco_ros_py.simulation import Owner

pytest.importorskip('tf2_msgs', reason='tf2_msgs is not there')
from tf2_msgs.action import LookupTransform


def offer(keeper: Any, owner: Owner, execute: Any) -> Any:
    """Offers an action as a plugin does while it is loaded."""
    with owner.at('load'):
        return plugin_actions.offer(
            keeper.actions, owner, LookupTransform, '/search', execute, accept=None, cancel=None
        )


def test_a_goal_that_ends_just_before_its_plugin_is_answered(new_keeper, monkeypatch):
    owner = Owner('plugin', lambda where, error: None)
    call_later = plugin_actions._Goals._call_later

    def end_of_a_goal(goals: Any, end: Any) -> None:
        """Ends the plugin in the moment in which no goal is executed any more."""
        call_later(goals, end)
        owner.close()

    def execute(goal: Any) -> LookupTransform.Result:
        results = server._result_futures
        wait_until(lambda: any(each._callbacks for each in results.values()), 'who waits for it')
        goal.succeed()
        return LookupTransform.Result()

    monkeypatch.setattr(plugin_actions._Goals, '_call_later', end_of_a_goal)
    keeper = new_keeper('server')
    node = keeper.node
    server = offer(keeper, owner, execute)
    client = ActionClient(new_keeper('n').node, LookupTransform, '/search')
    wait_until(client.server_is_ready, 'the action')
    wait_until(lambda: node.count_subscribers('/search/_action/feedback'), 'the client')
    result = answered_goal(client, LookupTransform.Goal()).get_result_async()
    wait_until(result.done, 'the result')
    assert result.result().status == GoalStatus.STATUS_SUCCEEDED
    wait_until(
        lambda: not node.count_publishers('/search/_action/status'), 'the end of the server'
    )
    wait_until(lambda: server not in list(keeper.actions.waitables), 'it is served no more')


def test_a_client_that_asks_for_the_result_after_the_end_of_the_plugin_gets_it(
    new_keeper, monkeypatch
):
    monkeypatch.setattr(action_node, '_LAST_RESULTS_S', DEADLINE_S)
    owner = Owner('plugin', lambda where, error: None)
    runs, goes_on = threading.Event(), threading.Event()

    def execute(goal: Any) -> None:
        runs.set()
        goes_on.wait(DEADLINE_S)

    keeper = new_keeper('server')
    offer(keeper, owner, execute)
    client = ActionClient(new_keeper('n').node, LookupTransform, '/search')
    wait_until(client.server_is_ready, 'the action')
    goal = answered_goal(client, LookupTransform.Goal())
    assert runs.wait(DEADLINE_S)
    owner.close()
    result = goal.get_result_async()
    wait_until(result.done, 'the result')
    goes_on.set()
    assert result.result().status == GoalStatus.STATUS_ABORTED
