"""Runs a plugin's ROS callbacks on the plugin's thread, and reports their errors to the plugin."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from copy import copy
from typing import Any

from ...errors import PluginError
from ...simulation import Backlog, OwnedCallback, Owner, activity
from ..rclpy_internals import Execute, replace_execute

Callback = Callable[..., Any]


def current_owner() -> Owner | None:
    """Returns the owner of the plugin code that runs on the calling thread; None outside of it."""
    doing = activity()
    return None if doing is None else doing.owner


def owned(callback: Any, what: str, depth: int) -> Any:
    """Wraps a plugin's callback, which then runs on the plugin's thread.

    The executor calls the wrapper, which queues the arguments for that thread. The queue keeps the
    newest `depth` calls. Outside of a plugin's code, returns the callback unchanged. Raises
    PluginError for a coroutine function of a plugin.
    """
    owner = current_owner()
    if owner is None or not callable(callback):
        return callback
    refuse_coroutine(callback, what)
    what = _described(callback, what)
    backlog = Backlog(owner.thread, owner.callback(what, callback), depth)

    @functools.wraps(callback, updated=())  # rclpy inspects the signature
    def call(*arguments: Any) -> None:
        backlog(*arguments)

    return call


class OwnedParameterCallback:
    """Wraps a plugin's parameter callback; equals the callback, so rclpy can find and remove it.

    If the callback raises, or its plugin has failed or was unloaded, the answer is neutral. The
    callback runs on the executor's thread, because the answer is needed immediately.
    """

    def __init__(self, owned: OwnedCallback, callback: Callback, otherwise: Callback) -> None:
        self._owned, self._callback, self._otherwise = owned, callback, otherwise

    def __call__(self, parameters: Any) -> Any:
        """Returns the callback's answer, or the neutral answer."""
        answer = self._owned(parameters)
        return self._otherwise(parameters) if answer is None else answer

    def __eq__(self, other: object) -> bool:
        return self is other or bool(self._callback == other)

    def __hash__(self) -> int:
        return hash(self._callback)


def owned_parameter_callback(callback: Any, otherwise: Callback) -> Any:
    """Wraps a plugin's parameter callback; `otherwise(parameters)` returns the neutral answer.

    Raises PluginError for a coroutine function of a plugin.
    """
    owner = current_owner()
    if owner is None or not callable(callback):
        return callback
    what = 'callback for parameters'
    refuse_coroutine(callback, what)
    what = _described(callback, what)
    return OwnedParameterCallback(owner.callback(what, callback), callback, otherwise)


def refuse_coroutine(function: Any, what: str) -> None:
    """Raises PluginError for a coroutine function, because the executor would have to run it."""
    called = getattr(function, '__call__', None)  # noqa: B004  an object may have such a method
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called):
        raise PluginError(
            f'{_described(function, what)} must be a plain function, not a coroutine function'
            " (async def): it runs on the plugin's own thread, where it can block;"
            ' a service can also return a future of its response'
        )


def owned_events(callbacks: Any) -> Any:
    """Returns a copy of a topic's event callbacks whose functions run on the plugin's thread.

    Callbacks that no plugin created stay as they are. Raises PluginError for a coroutine function.
    """
    if current_owner() is None or callbacks is None:
        return callbacks
    mine = copy(callbacks)
    for name, callback in vars(callbacks).items():
        setattr(mine, name, owned(callback, f'event {name}', depth=1))
    return mine


def owned_waitable(waitable: Any) -> None:
    """Reports exceptions of a waitable's `execute` method to the plugin that created the waitable.

    After the plugin has ended, the executor calls the waitable's `execute_last`, if it has one.
    """
    owner = current_owner()
    if owner is not None:
        what, last = type(waitable).__name__, getattr(waitable, 'execute_last', None)
        replace_execute(waitable, lambda execute: guarded(execute, owner, what, last))


def guarded(function: Execute, owner: Owner, what: str, last: Execute | None = None) -> Execute:
    """Wraps a coroutine function, whose exceptions are then reported to the owner.

    After the owner has ended, it calls `last` instead, or nothing.
    """

    @functools.wraps(function, updated=())
    async def call(taken: Any) -> Any:
        called = last if owner.closed else function
        if called is None:
            return None
        try:
            return await called(taken)
        except BaseException as error:
            owner.fail(what, error)
            return None

    return call


def _described(callback: Any, what: str) -> str:
    return f'{getattr(callback, "__qualname__", type(callback).__name__)} ({what})'
