"""ROS callbacks of plugins: what they raise takes out their plugin, and nothing else."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from ..simulation import Duty, Owner, activity

Callback = Callable[..., Any]


class UnansweredError(Exception):
    """A service's callback raised, which is dealt with: rclpy is not to answer."""


def owned(callback: Any, what: str) -> Any:
    """The callback as the executor is to call it, if it is created by a plugin; else itself."""
    owner = _owner()
    if owner is None or not callable(callback):
        return callback
    what = _described(callback, what)
    if inspect.iscoroutinefunction(callback):
        return _guarded(callback, owner, what)
    duty = owner.duty(what, callback)

    @functools.wraps(callback, updated=())  # rclpy looks at what it takes
    def call(*arguments: Any) -> Any:
        return duty(*arguments)

    return call


def owned_service(callback: Any, kind: Any, name: str) -> tuple[Any, Owner | None]:
    """The same for a service, which must return an answer; and its owner."""
    owner = _owner()
    if owner is None or not callable(callback) or inspect.iscoroutinefunction(callback):
        return owned(callback, f'service {name}'), owner

    def answer(request: Any, response: Any) -> Any:
        given = callback(request, response)
        if not isinstance(given, kind.Response):
            raise TypeError(f'must return {kind.__name__}.Response, got {type(given).__name__}')
        return given

    duty = Duty(owner, _described(callback, f'service {name}'), answer)

    @functools.wraps(callback, updated=())
    def call(request: Any, response: Any) -> Any:
        answer = duty(request, response)
        if answer is None:
            raise UnansweredError(name)
        return answer

    return call, owner


class OwnedParameterCallback:
    """A plugin's callback for parameters; equal to that, so that it can be removed by it.

    Where it raises, or its plugin is out, all is as if it had not been there.
    """

    def __init__(self, duty: Duty, callback: Callback, otherwise: Callback) -> None:
        self._duty, self._callback, self._otherwise = duty, callback, otherwise

    def __call__(self, parameters: Any) -> Any:
        """What the callback answers, else what is neutral."""
        answer = self._duty(parameters)
        return self._otherwise(parameters) if answer is None else answer

    def __eq__(self, other: object) -> bool:
        return self is other or bool(self._callback == other)

    def __hash__(self) -> int:
        return hash(self._callback)


def owned_parameter_callback(callback: Any, otherwise: Callback) -> Any:
    """The callback as the node is to call it; `otherwise(parameters)` is the neutral answer."""
    owner = _owner()
    if owner is None or not callable(callback):
        return callback
    what = _described(callback, 'callback for parameters')
    return OwnedParameterCallback(owner.duty(what, callback), callback, otherwise)


def owned_waitable(waitable: Any) -> None:
    """Guards what the executor calls of it, if it is created by a plugin."""
    owner = _owner()
    if owner is not None:
        waitable.execute = _guarded(waitable.execute, owner, type(waitable).__name__)


def _owner() -> Owner | None:
    """Whose function the calling thread is in."""
    doing = activity()
    return None if doing is None else doing.owner


def _described(callback: Any, what: str) -> str:
    return f'{getattr(callback, "__qualname__", type(callback).__name__)} ({what})'


def _guarded(function: Callback, owner: Owner, what: str) -> Callback:
    """A coroutine, which the executor may leave and enter again."""

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
