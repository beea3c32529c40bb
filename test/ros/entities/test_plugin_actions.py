"""Actions that plugins offer, when their plugin ends."""

from __future__ import annotations

from typing import Any

import pytest
from action_msgs.msg import GoalStatus
from rclpy.action import ActionClient
from system.harness import answered_goal, wait_until

from mujoco_ros_py.ros.entities import plugin_actions
from mujoco_ros_py.simulation import Owner

pytest.importorskip('tf2_msgs', reason='tf2_msgs is not there')
from tf2_msgs.action import LookupTransform


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
    server = plugin_actions.offer(
        keeper.actions, owner, LookupTransform, '/search', execute, accept=None, cancel=None
    )
    client = ActionClient(new_keeper('n').node, LookupTransform, '/search')
    wait_until(client.server_is_ready, 'the action')
    wait_until(lambda: node.count_subscribers('/search/_action/feedback'), 'the client')
    result = answered_goal(client, LookupTransform.Goal()).get_result_async()
    wait_until(result.done, 'the result')
    assert result.result().status == GoalStatus.STATUS_SUCCEEDED
    wait_until(lambda: server not in list(keeper.actions.waitables), 'the end of the service')
    assert node.count_publishers('/search/_action/status'), 'the result may be on its way'
    wait_until(
        lambda: not node.count_publishers('/search/_action/status'), 'the end of the server'
    )
