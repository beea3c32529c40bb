"""Actions of plugins: each goal is executed on a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.task import Future

from ..simulation import Owner
from .node import SharedNode

_ROUNDS = 5
"""The result of a goal is handed on from task to task of the executor until it is sent."""


def offer(
    node: SharedNode,
    owner: Owner,
    kind: Any,
    name: str,
    execute: Callable[[Any], Any],
    accept: Callable[[Any], bool] | None,
    cancel: Callable[[Any], bool] | None,
) -> ActionServer[Any, Any, Any]:
    """An action server whose functions are called on threads of their owner."""
    goals = _Goals(node, owner, kind, name, execute)

    async def accepted(request: Any) -> GoalResponse:
        taken = accept is None or await goals.ask('accept', accept, request)
        return GoalResponse.ACCEPT if taken else GoalResponse.REJECT

    async def cancelled(goal: Any) -> CancelResponse:
        taken = cancel is None or await goals.ask('cancel', cancel, goal)
        return CancelResponse.ACCEPT if taken else CancelResponse.REJECT

    server = ActionServer(
        node,
        kind,
        name,
        goals.execute,
        goal_callback=accepted,
        cancel_callback=cancelled,
    )

    owner.on_close(lambda: goals.close(server.destroy))
    return server


class Goal:
    """A goal that is being executed: rclpy's handle, which also knows when its plugin is out."""

    def __init__(self, handle: Any, owner: Owner) -> None:
        self._handle, self._owner = handle, owner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._handle, name)

    @property
    def is_cancel_requested(self) -> bool:
        """Whether it is to end: its client has asked for that, or its plugin is out."""
        return self._owner.closed or bool(self._handle.is_cancel_requested)


class _Goals:
    """The goals that are being executed."""

    def __init__(
        self,
        node: SharedNode,
        owner: Owner,
        kind: Any,
        name: str,
        execute: Callable[[Any], Any],
    ) -> None:
        self._node, self._owner, self._kind, self._name = node, owner, kind, name
        self._execute = execute
        self._running: dict[Future[Any], Any] = {}
        self._end: Callable[[], object] | None = None
        """What to do when no goal is executed any more."""
        self._lock = threading.Lock()

    async def ask(self, what: str, function: Callable[[Any], Any], argument: Any) -> bool:
        """What the function answers, on the plugin's thread; False where it raises."""
        answer: Future[Any] = Future(executor=self._node.executor)
        duty = self._owner.duty(f'{what} (action {self._name})', function)
        self._owner.on_close(lambda: _settle(answer, None))
        self._owner.errands.run(lambda: _settle(answer, duty(argument)))
        return bool(await answer)

    async def execute(self, goal: Any) -> Any:
        """The result of a goal; on the executor's thread, which goes on meanwhile."""
        result: Future[Any] = Future(executor=self._node.executor)
        with self._lock:
            self._running[result] = goal
        threading.Thread(
            target=self._run, args=(goal, result), name=f'goal of {self._name}', daemon=True
        ).start()
        given = await result
        with self._lock:
            del self._running[result]
            end = None if self._running else self._end
        if end is not None:
            self._node.soon(end, after_rounds=_ROUNDS)
        return given if isinstance(given, self._kind.Result) else self._kind.Result()

    def close(self, end: Callable[[], object]) -> None:
        """Aborts all goals, whatever their threads do, and calls `end` when that has been told."""
        with self._lock:
            running, self._end = dict(self._running), end
            for goal in running.values():
                if goal.is_active:
                    goal.abort()
        for result in running:
            _settle(result, None)
        if not running:
            self._node.soon(end)

    def _run(self, goal: Any, result: Future[Any]) -> None:
        """On the goal's thread."""
        duty = self._owner.duty(f'execute (action {self._name})', self._execute)
        given = duty(Goal(goal, self._owner))
        with self._lock:  # the unload may abort it just now
            if goal.is_active and not self._owner.closed:
                if isinstance(given, self._kind.Result):
                    goal.succeed()
                else:
                    goal.abort()
        _settle(result, given)


def _settle(future: Future[Any], result: Any) -> None:
    """Once; whoever comes second is late."""
    if not future.done():
        future.set_result(result)
