"""Actions of plugins when their plugin ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from action_msgs.msg import GoalStatus
from deadline import DEADLINE_S
from rclpy.action import ActionClient, GoalResponse
from rclpy.action.server import ServerGoalHandle
from system.harness import answered_goal, wait_until

from mujoco_ros_py.errors import PluginError
from mujoco_ros_py.ros.entities import action_node, plugin_actions
from mujoco_ros_py.simulation import Owner

pytest.importorskip('tf2_msgs', reason='tf2_msgs is not there')
from tf2_msgs.action import LookupTransform


def offer(keeper: Any, owner: Owner, execute: Any) -> Any:
    """Offers an action as a plugin does while it is loading."""
    with owner.at('load'):
        return plugin_actions.offer(
            keeper.actions, owner, LookupTransform, '/search', execute, accept=None, cancel=None
        )


def test_a_goal_that_ends_just_before_its_plugin_is_answered(new_keeper, monkeypatch):
    owner = Owner('plugin', lambda where, error: None)
    call_later = plugin_actions._Goals._call_later

    def end_of_a_goal(goals: Any, end: Any) -> None:
        """Ends the plugin in the moment when no goal is running any more."""
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


def sent(new_keeper: Any, owner: Owner, execute: Any) -> Any:
    """Returns the handle of a running goal."""
    runs = threading.Event()

    def run(goal: Any) -> Any:
        runs.set()
        return execute(goal)

    offer(new_keeper('server'), owner, run)
    client = ActionClient(new_keeper('n').node, LookupTransform, '/search')
    wait_until(client.server_is_ready, 'the action')
    handle = answered_goal(client, LookupTransform.Goal())
    assert runs.wait(DEADLINE_S)
    return handle


def ended(handle: Any) -> tuple[int, str]:
    """Returns the status and the text of an ended goal."""
    result = handle.get_result_async()
    wait_until(result.done, 'the result')
    return result.result().status, result.result().result.error.error_string


def test_a_client_that_asks_for_the_result_after_the_end_of_the_plugin_gets_it(
    new_keeper, monkeypatch
):
    monkeypatch.setattr(action_node, '_LAST_RESULTS_S', DEADLINE_S)
    monkeypatch.setattr(plugin_actions, '_LAST_GOALS_S', 0.0)
    owner = Owner('plugin', lambda where, error: None)
    goes_on = threading.Event()
    handle = sent(new_keeper, owner, lambda goal: goes_on.wait(DEADLINE_S))
    owner.close()
    assert ended(handle) == (GoalStatus.STATUS_ABORTED, '')
    goes_on.set()


def said(text: str) -> LookupTransform.Result:
    result = LookupTransform.Result()
    result.error.error_string = text
    return result


def cancels(goal: Any, closed: threading.Event) -> LookupTransform.Result:
    wait_until(lambda: goal.is_cancel_requested, 'the end of the plugin')
    closed.wait(DEADLINE_S)
    goal.canceled()
    return said('the plugin ends')


def aborts(goal: Any, closed: threading.Event) -> LookupTransform.Result:
    closed.wait(DEADLINE_S)
    goal.abort()
    return said('the plugin ends')


def only_returns(goal: Any, closed: threading.Event) -> LookupTransform.Result:
    closed.wait(DEADLINE_S)
    return said('the plugin ends')


@pytest.mark.parametrize('execute', [cancels, aborts, only_returns])
def test_the_function_of_a_goal_tells_how_it_ends_also_when_its_plugin_has_ended(
    new_keeper, execute: Callable[..., Any]
):
    owner, closed = Owner('plugin', lambda where, error: None), threading.Event()
    handle = sent(new_keeper, owner, lambda goal: execute(goal, closed))
    owner.close()
    closed.set()
    assert ended(handle) == (GoalStatus.STATUS_ABORTED, 'the plugin ends')


@pytest.fixture
def early_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes goals set an empty result when they end, as in rclpy 7.1.9 to 10."""

    def set_result(goal: Any, result: Any) -> None:
        server = goal._action_server
        response = server._action_type.Impl.GetResultService.Response(status=goal.status)
        if result is not None:
            response.result = result
        server._result_futures[bytes(goal.goal_id.uuid)].set_result(response)

    def ending(end: Callable[[Any], None]) -> Callable[..., None]:
        def end_with_result(goal: Any, result: Any = None) -> None:
            end(goal)
            goal._set_result(result)

        return end_with_result

    monkeypatch.setattr(ServerGoalHandle, '_set_result', set_result, raising=False)
    for name in ('succeed', 'abort', 'canceled'):
        end = getattr(ServerGoalHandle, name)
        monkeypatch.setattr(ServerGoalHandle, name, ending(end))


def test_a_client_gets_the_result_that_is_returned_after_the_goal_has_ended(
    new_keeper, early_results
):
    unset = []

    def execute(goal: Any) -> LookupTransform.Result:
        goal.succeed()
        results = goal._handle._action_server._result_futures
        unset.append(not results[bytes(goal.goal_id.uuid)].done())
        return said('found')

    handle = sent(new_keeper, Owner('plugin', lambda where, error: None), execute)
    assert ended(handle) == (GoalStatus.STATUS_SUCCEEDED, 'found')
    assert unset == [True]


def test_a_goal_that_is_accepted_while_its_plugin_ends_is_executed_and_answered(
    new_keeper, monkeypatch
):
    owner = Owner('plugin', lambda where, error: None)
    execute = plugin_actions._Goals.execute

    async def after_the_end(goals: Any, handle: Any) -> Any:
        owner.close()
        return await execute(goals, handle)

    monkeypatch.setattr(plugin_actions._Goals, 'execute', after_the_end)
    handle = sent(new_keeper, owner, lambda goal: said('the plugin ends'))
    assert ended(handle) == (GoalStatus.STATUS_ABORTED, 'the plugin ends')


@pytest.mark.parametrize('answer', [False, GoalResponse.REJECT])
def test_goals_are_rejected_and_questions_forgotten_when_they_are_answered(new_keeper, answer):
    owner = Owner('plugin', lambda where, error: None)
    keeper = new_keeper('server')
    with owner.at('load'):
        plugin_actions.offer(
            keeper.actions, owner, LookupTransform, '/search', lambda goal: said(''),
            accept=lambda goal: answer, cancel=None,
        )  # fmt: skip
    client = ActionClient(new_keeper('n').node, LookupTransform, '/search')
    wait_until(client.server_is_ready, 'the action')
    before = len(owner._closing)
    for _ in range(3):
        assert not answered_goal(client, LookupTransform.Goal()).accepted
    assert len(owner._closing) == before


async def later(goal: Any) -> None:
    """Waits for nothing."""


@pytest.mark.parametrize('which', ['execute', 'accept', 'cancel'])
def test_a_coroutine_function_is_refused_with_what_to_give_instead(new_keeper, which):
    functions = {'execute': lambda goal: said(''), 'accept': None, 'cancel': None, which: later}
    owner, actions = Owner('plugin', lambda where, error: None), new_keeper('server').actions
    expected = 'must be a plain function, not a coroutine function'
    with owner.at('load'), pytest.raises(PluginError, match=expected):
        plugin_actions.offer(actions, owner, LookupTransform, '/search', **functions)
