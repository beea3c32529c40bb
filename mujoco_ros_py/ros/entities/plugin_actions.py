"""Actions of plugins: each goal is executed on a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.task import Future

from ...simulation import Owner
from ..rclpy_internals import ROUNDS_TO_RESULT, plugin_action_server
from .action_node import ActionNode
from .plugin_callbacks import refuse_coroutine


def offer(
    node: ActionNode,
    owner: Owner,
    kind: Any,
    name: str,
    execute: Callable[[Any], Any],
    accept: Callable[[Any], bool] | None,
    cancel: Callable[[Any], bool] | None,
) -> ActionServer[Any, Any, Any]:
    """Creates an action server whose functions are called on threads of their owner.

    Raises PluginError if one of them is a coroutine function.
    """
    for function in (execute, accept, cancel):
        refuse_coroutine(function, f'action {name}')
    goals = _Goals(node, owner, kind, name, execute)

    async def accepted(request: Any) -> GoalResponse:
        taken = accept is None or await goals.ask('accept', accept, request)
        return GoalResponse.ACCEPT if taken else GoalResponse.REJECT

    async def cancelled(goal: Any) -> CancelResponse:
        taken = cancel is None or await goals.ask('cancel', cancel, goal)
        return CancelResponse.ACCEPT if taken else CancelResponse.REJECT

    server: ActionServer[Any, Any, Any] = plugin_action_server()(
        node,
        kind,
        name,
        goals.execute,
        goal_callback=accepted,
        cancel_callback=cancelled,
    )

    owner.on_close(lambda: goals.close(lambda: node.retire(server)))
    return server


class Goal:
    """The handle of a goal that is executed; it is cancelled if its plugin has ended."""

    def __init__(self, handle: Any, owner: Owner, lock: threading.Lock) -> None:
        self._handle, self._owner, self._lock = handle, owner, lock

    def succeed(self, *response: Any) -> None:
        """Ends the goal with success, unless it has ended."""
        self._end(self._handle.succeed, *response)

    def abort(self, *response: Any) -> None:
        """Ends the goal with a failure, unless it has ended."""
        self._end(self._handle.abort, *response)

    def canceled(self, *response: Any) -> None:
        """Ends the goal as cancelled, unless it has ended."""
        self._end(self._handle.canceled, *response)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._handle, name)

    @property
    def is_cancel_requested(self) -> bool:
        """Whether the goal is to end: its client has asked for it, or its plugin has ended."""
        return self._owner.closed or bool(self._handle.is_cancel_requested)

    def _end(self, end: Callable[..., None], *response: Any) -> None:
        with self._lock:  # the unload may abort it just now
            if self._handle.is_active:
                end(*response)


class _Goals:
    """The goals of an action that are executed."""

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
        self._running: dict[Future[Any], Any] = {}
        self._end: Callable[[], object] | None = None
        """The function that is called when no goal is executed any more."""
        self._lock = threading.Lock()

    async def ask(self, what: str, function: Callable[[Any], Any], argument: Any) -> bool:
        """Calls the function on the plugin's thread; returns its answer, or False if it raises."""
        answer: Future[Any] = Future(executor=self._node.executor)
        called = self._owner.callback(f'{what} (action {self._name})', function)
        self._owner.on_close(lambda: self._settle(answer, None))
        self._owner.thread.run(lambda: self._settle(answer, called(argument)))
        return bool(await answer)

    async def execute(self, goal: Any) -> Any:
        """Runs a goal on a thread, and returns its result; the executor goes on meanwhile."""
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
        """Aborts all goals, whatever their threads do, and calls `end` when their clients know."""
        with self._lock:
            running, self._end = dict(self._running), end
            for goal in running.values():
                if goal.is_active:
                    goal.abort()
            ended = self._last()
        for result in running:
            self._settle(result, None)
        self._call_later(ended)

    def _call_later(self, end: Callable[[], object] | None) -> None:
        """Calls the function of `close` once the results of the last goals have been sent."""
        if end is not None:
            self._node.soon(end, after_rounds=ROUNDS_TO_RESULT)

    def _last(self) -> Callable[[], object] | None:
        """Returns the function of `close`, once, when no goal is executed; otherwise None."""
        if self._running:
            return None
        end, self._end = self._end, None
        return end

    def _run(self, goal: Any, result: Future[Any]) -> None:
        """Executes a goal on its thread."""
        called = self._owner.callback(f'execute (action {self._name})', self._execute)
        given = called(Goal(goal, self._owner, self._lock))
        with self._lock:  # the unload may abort it just now
            if goal.is_active and not self._owner.closed:
                if isinstance(given, self._kind.Result):
                    goal.succeed()
                else:
                    goal.abort()
        self._settle(result, given)

    def _settle(self, future: Future[Any], result: Any) -> None:
        """Sets the result of the future, unless it has one."""
        if not future.done():
            future.set_result(result)
            self._node.wake()
