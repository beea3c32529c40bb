"""Serves the actions of plugins; each goal runs on its own thread."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.task import Future

from ...simulation import Owner
from ..rclpy_internals import ROUNDS_TO_RESULT, await_result, plugin_action_server
from .action_node import ActionNode
from .plugin_callbacks import refuse_coroutine
from .plugin_services import REQUESTS

_log = logging.getLogger(__name__)
_TAKEN = (GoalResponse.ACCEPT, CancelResponse.ACCEPT)
"""rclpy's accepting answers. The rejecting ones are truthy, too, as all Enum members are."""
_LAST_GOALS_S = 5.0
"""How long goals may keep running after their plugin has ended, in seconds."""


def offer(
    node: ActionNode,
    owner: Owner,
    kind: Any,
    name: str,
    execute: Callable[[Any], Any],
    accept: Callable[[Any], Any] | None,
    cancel: Callable[[Any], Any] | None,
    deliver: Callable[[Any, Callable[[bool], object]], None] | None = None,
) -> ActionServer[Any, Any, Any]:
    """Creates an action server whose functions run on threads of their owner.

    `deliver(request, arrived)` calls `arrived(True)` when a requested goal arrives at the plugin,
    or `arrived(False)` if it is lost; by default, every goal arrives at once. Raises PluginError
    if a function is a coroutine function.
    """
    for function in (execute, accept, cancel):
        refuse_coroutine(function, f'action {name}')
    goals = _Goals(node, owner, kind, name, execute)

    async def accepted(request: Any) -> GoalResponse:
        if deliver is not None and not await goals.arrival(deliver, request):
            return GoalResponse.REJECT
        taken = accept is None or await goals.ask('goal_callback', accept, request)
        return GoalResponse.ACCEPT if taken and not owner.closed else GoalResponse.REJECT

    async def cancelled(goal: Any) -> CancelResponse:
        taken = cancel is None or await goals.ask('cancel_callback', cancel, goal)
        return CancelResponse.ACCEPT if taken else CancelResponse.REJECT

    server: ActionServer[Any, Any, Any] = plugin_action_server()(
        node,
        kind,
        name,
        goals.execute,
        goal_callback=accepted,
        cancel_callback=cancelled,
        goal_service_qos_profile=REQUESTS,
        result_service_qos_profile=REQUESTS,
        cancel_service_qos_profile=REQUESTS,
    )

    owner.on_close(lambda: goals.close(lambda: node.retire(server)))
    return server


class Goal:
    """The handle with which a plugin's function reports on its goal and ends it.

    When the plugin ends, `is_cancel_requested` becomes true, and the function should end the goal.
    A goal that does not end in time is aborted.
    """

    def __init__(self, handle: Any, owner: Owner) -> None:
        self._handle, self._owner = handle, owner
        self._lock = threading.Lock()

    def succeed(self, *response: Any) -> None:
        """Marks the goal as succeeded, unless it has ended."""
        self._end(self._handle.succeed, *response)

    def abort(self, *response: Any) -> None:
        """Aborts the goal, unless it has ended."""
        self._end(self._handle.abort, *response)

    def canceled(self, *response: Any) -> None:
        """Marks the goal as cancelled, unless it has ended.

        Aborts the goal instead if its plugin has ended and its client has not cancelled it.
        """
        by_plugin = self._owner.closed and not self._handle.is_cancel_requested
        self._end(self._handle.abort if by_plugin else self._handle.canceled, *response)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._handle, name)

    @property
    def is_cancel_requested(self) -> bool:
        """Whether the goal should end: its client has cancelled it, or its plugin has ended."""
        return self._owner.closed or bool(self._handle.is_cancel_requested)

    def _end(self, end: Callable[..., None], *response: Any) -> None:
        with self._lock:  # `_give_up` may abort it at the same time
            if self._handle.is_active:
                end(*response)


class _Goals:
    """The running goals of an action."""

    def __init__(
        self,
        node: ActionNode,
        owner: Owner,
        kind: Any,
        name: str,
        execute: Callable[[Any], Any],
    ) -> None:
        self._node, self._owner, self._kind, self._name = node, owner, kind, name
        self._execute = execute
        self._asked: set[Future[Any]] = set()
        """The futures of the answers that the plugin has not given yet."""
        self._running: dict[Future[Any], Goal] = {}
        """Maps the future of a goal's result to the running goal."""
        self._end: Callable[[], object] | None = None
        """The function to call when no goal is running."""
        self._lock = threading.Lock()

    async def arrival(
        self, deliver: Callable[[Any, Callable[[bool], object]], None], request: Any
    ) -> bool:
        """Waits until a requested goal arrives at the plugin; returns False if it does not.

        rclpy needs an answer even for a lost goal: without it, the action would accept no other
        goal.
        """
        answer: Future[Any] = Future(executor=self._node.executor)
        with self._lock:
            self._asked.add(answer)
        deliver(request, lambda arrived: self._settle(answer, arrived))
        if self._owner.closed:
            self._settle(answer, None)
        arrived = bool(await answer)
        with self._lock:
            self._asked.discard(answer)
        return arrived

    async def ask(self, what: str, function: Callable[[Any], Any], argument: Any) -> bool:
        """Calls the function on the plugin's thread.

        Returns its answer, or False if it raises or the plugin has ended.
        """
        answer: Future[Any] = Future(executor=self._node.executor)
        called = self._owner.callback(f'{what} (action {self._name})', function)
        with self._lock:
            self._asked.add(answer)
        self._owner.thread.run(lambda: self._settle(answer, called(argument)))
        if self._owner.closed:  # the plugin's functions are not called any more
            self._settle(answer, None)
        taken = await answer
        with self._lock:
            self._asked.discard(answer)
        return taken in _TAKEN if isinstance(taken, GoalResponse | CancelResponse) else bool(taken)

    async def execute(self, handle: Any) -> Any:
        """Runs a goal on its own thread and returns its result; does not block the executor."""
        await_result(handle)
        goal = Goal(handle, self._owner)
        result: Future[Any] = Future(executor=self._node.executor)
        with self._lock:
            self._running[result] = goal
        threading.Thread(
            target=self._run, args=(goal, result), name=f'goal of {self._name}', daemon=True
        ).start()
        given = await result
        with self._lock:
            del self._running[result]
            end = self._last()
        self._call_later(end)
        return given if isinstance(given, self._kind.Result) else self._kind.Result()

    def close(self, end: Callable[[], object]) -> None:
        """Asks all goals to end, and calls `end` when their clients have the results.

        The executing functions see the request in `is_cancel_requested`.
        """
        with self._lock:
            asked, self._end = tuple(self._asked), end
            ended = self._last()
        for answer in asked:
            self._settle(answer, None)
        if ended is None:
            self._node.later(_LAST_GOALS_S, self._give_up)
        self._call_later(ended)

    def _give_up(self) -> None:
        """Aborts the goals that are still running, without a result."""
        with self._lock:
            running = dict(self._running)
        for result, goal in running.items():
            goal.abort()
            if self._settle(result, None):
                _log.warning(
                    '%s: aborted a goal of action %s without a result: its function did not'
                    ' return within %g s',
                    self._owner.name, self._name, _LAST_GOALS_S,
                )  # fmt: skip

    def _call_later(self, end: Callable[[], object] | None) -> None:
        """Calls `end` once the results of the last goals have been sent."""
        if end is not None:
            self._node.soon(end, after_rounds=ROUNDS_TO_RESULT)

    def _last(self) -> Callable[[], object] | None:
        """Returns and clears the function that `close` stored; None while a goal is running."""
        if self._running:
            return None
        end, self._end = self._end, None
        return end

    def _run(self, goal: Goal, result: Future[Any]) -> None:
        """Runs a goal on its thread, even if its plugin has ended since the goal was accepted."""
        what, given = f'execute_callback (action {self._name})', None
        try:
            with self._owner.at(what):
                given = self._execute(goal)
        except BaseException as error:  # a plugin's function may also raise SystemExit
            self._owner.fail(what, error)
        if isinstance(given, self._kind.Result) and not self._owner.closed:
            goal.succeed()
        goal.abort()  # does nothing if the goal has ended
        self._settle(result, given)

    def _settle(self, future: Future[Any], result: Any) -> bool:
        """Sets a future's result unless it is already done; returns whether the result was set."""
        with self._lock:
            if future.done():
                return False
            future.set_result(result)
        self._node.wake()
        return True
