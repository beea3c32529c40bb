"""Connects compiled code to publishers and subscriptions through rcl, or else through rclpy."""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rclpy.qos import QoSProfile

from ..engine import Port, wake_function
from ..rcl_internals import (
    NOTHING_TAKEN,
    HeldHandle,
    NativeMessage,
    call_for_messages,
    count_function,
    message_reader,
    publish_function,
    reset_error_function,
    take_function,
)

_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4)
_TAKEN, _FAILED = 0, 1


def rcl_publisher(publisher: Any, message: NativeMessage) -> Port:
    """Returns a port that publishes through rcl. The port keeps the publisher alive."""
    port = _rcl_port(publish_function(), HeldHandle(publisher), message)
    return replace(port, count=count_function())


def rcl_subscription(
    keeper: Any,
    kind: type[Any],
    topic: str,
    qos: QoSProfile,
    message: NativeMessage,
    event: int | None = None,
) -> tuple[Any, Port]:
    """Creates a subscription that no executor serves; returns the subscription and its port.

    Each message that arrives signals the eventfd `event`, unless it is None.
    """
    subscription = keeper.create_silent_subscription(kind, topic, qos)
    port = _rcl_port(take_function(), HeldHandle(subscription), message)
    if event is None:
        return subscription, port
    call_for_messages(subscription, wake_function(), event)

    def release() -> None:
        call_for_messages(subscription, 0, 0)  # the eventfd may soon be closed
        port.release()

    return subscription, replace(port, release=release)


def python_publisher(publisher: Any, message: NativeMessage) -> Port:
    """Returns a port that publishes through rclpy, under the GIL."""

    def publish(*_: Any) -> int:
        publisher.publish(message.get())
        return _TAKEN

    def count(_: Any, number: int, *rest: Any) -> int:
        ctypes.c_size_t.from_address(number).value = publisher.get_subscription_count()
        return _TAKEN

    port, counting = _python_port(publish, message), _guarded(count)
    return replace(port, count=_address(counting), keep=(port.keep, counting))


def python_receiver(kind: type[Any], receive: Callable[[Any], object]) -> Port:
    """Returns a port that passes each message to a Python function, under the GIL."""
    read = message_reader(kind)

    def publish(_: Any, address: int, *rest: Any) -> int:
        receive(read(address))
        return _TAKEN

    return _python_port(publish, NativeMessage(kind))


def python_source(waiting: deque[Any], message: NativeMessage) -> Port:
    """Returns a port that takes the oldest waiting message, under the GIL."""

    def take(*_: Any) -> int:
        if not waiting:
            return NOTHING_TAKEN
        message.set(waiting.popleft())
        return _TAKEN

    return _python_port(take, message)


def _rcl_port(function: int, handle: HeldHandle, message: NativeMessage) -> Port:
    return Port(
        call=function,
        handle=handle.address,
        message=message.address,
        forget_error=reset_error_function(),
        nothing=NOTHING_TAKEN,
        release=handle.release,
        keep=(handle, message),
    )


def _python_port(function: Any, message: NativeMessage) -> Port:
    thunk, forget = _guarded(function), _FUNCTION(lambda *_: 0)
    return Port(
        call=_address(thunk),
        handle=0,
        message=message.address,
        forget_error=_address(forget),
        nothing=NOTHING_TAKEN,
        keep=(thunk, forget, message),
    )


def _guarded(function: Any) -> Any:
    """Returns a C function that calls a Python function and catches its exceptions."""

    def call(*arguments: Any) -> int:
        try:
            code: int = function(*arguments)
        except Exception:  # the entity is destroyed, or the context is shut down
            return _FAILED
        return code

    return _FUNCTION(call)


def _address(thunk: Any) -> int:
    """Returns the address of a ctypes callback; `ctypes.cast` would create a reference cycle."""
    return ctypes.c_void_p.from_buffer(thunk).value or 0
