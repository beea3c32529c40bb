"""ROS callbacks of plugins: they run on a thread of their plugin, and take out nothing else."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from ...rclpy_internals import replace_execute
from ...simulation import Backlog, OwnedCallback, Owner, activity

Callback = Callable[..., Any]


def current_owner() -> Owner | None:
    """Whose function the calling thread is in; None: that of no plugin."""
    doing = activity()
    return None if doing is None else doing.owner


def owned(callback: Any, what: str, depth: int) -> Any:
    """The callback as the executor is to call it, if it is created by a plugin; else itself.

    The executor hands over what came and goes on; the newest `depth` wait for the plugin's thread.
    A coroutine stays on the executor's thread.
    """
    owner = current_owner()
    if owner is None or not callable(callback):
        return callback
    what = _described(callback, what)
    if inspect.iscoroutinefunction(callback):
        return guarded(callback, owner, what)
    backlog = Backlog(owner.thread, owner.callback(what, callback), depth)

    @functools.wraps(callback, updated=())  # rclpy looks at what it takes
    def call(*arguments: Any) -> None:
        backlog(*arguments)

    return call


class OwnedParameterCallback:
    """A plugin's callback for parameters; equal to that, so that it can be removed by it.

    Where it raises, or its plugin is out, all is as if it had not been there. The executor calls
    it, as the answer is needed at once.
    """

    def __init__(self, owned: OwnedCallback, callback: Callback, otherwise: Callback) -> None:
        self._owned, self._callback, self._otherwise = owned, callback, otherwise

    def __call__(self, parameters: Any) -> Any:
        """What the callback answers, else what is neutral."""
        answer = self._owned(parameters)
        return self._otherwise(parameters) if answer is None else answer

    def __eq__(self, other: object) -> bool:
        return self is other or bool(self._callback == other)

    def __hash__(self) -> int:
        return hash(self._callback)


def owned_parameter_callback(callback: Any, otherwise: Callback) -> Any:
    """The callback as the node is to call it; `otherwise(parameters)` is the neutral answer."""
    owner = current_owner()
    if owner is None or not callable(callback):
        return callback
    what = _described(callback, 'callback for parameters')
    return OwnedParameterCallback(owner.callback(what, callback), callback, otherwise)


def owned_waitable(waitable: Any) -> None:
    """Guards what the executor calls of it, if it is created by a plugin."""
    owner = current_owner()
    if owner is not None:
        what = type(waitable).__name__
        replace_execute(waitable, lambda execute: guarded(execute, owner, what))


def guarded(function: Callback, owner: Owner, what: str) -> Callback:
    """A coroutine of the owner, which the executor may leave and enter again."""

    @functools.wraps(function, updated=())
    async def call(*arguments: Any) -> Any:
        if owner.closed:
            return None
        try:
            return await function(*arguments)
        except BaseException as error:
            owner.fail(what, error)
            return None

    return call


def _described(callback: Any, what: str) -> str:
    return f'{getattr(callback, "__qualname__", type(callback).__name__)} ({what})'
