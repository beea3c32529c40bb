"""Publishes messages, and prints messages as they arrive."""

from __future__ import annotations

import time
from typing import Any

import rclpy
from rclpy.duration import Duration

from ...errors import ConfigError, NoAnswerError
from ...plugins.topic_qos import profile_to_hear
from ..message_values import as_yaml, read_message
from .client_node import Client

_LINGER_S = 0.2
"""Seconds to wait before the first message, until subscribers are ready, and after the last
message, until it is sent."""
_POLL_S = 0.1
_DEPTH = 10


def publish(client: Client, name: str, text: str, rate_hz: float | None = None) -> None:
    """Waits for a subscriber, then publishes a message once, or at a rate until Ctrl-C.

    Raises ConfigError if the message does not fit the topic's type, and NoAnswerError if no
    subscriber appears within the timeout.
    """
    if rate_hz is not None and not rate_hz > 0:
        raise ConfigError(f'--rate must be above 0 Hz, got {rate_hz:g}')
    name = client.full_name(name)
    kind = client.type_of('topic', name)
    message = read_message(kind, text)
    publisher = client.node.create_publisher(kind, name, 1)
    try:
        client.wait(lambda: publisher.get_subscription_count() or None)
    except TimeoutError:
        raise NoAnswerError(f'no subscriber to {name} within {client.timeout_s:g} s') from None
    time.sleep(_LINGER_S)  # a best-effort subscriber loses messages before discovery
    publisher.publish(message)
    due = time.monotonic()
    while rate_hz is not None:
        due += 1 / rate_hz
        time.sleep(max(0.0, due - time.monotonic()))
        publisher.publish(message)
    # Best-effort subscribers acknowledge nothing, so the call does not wait for them.
    publisher.wait_for_all_acked(Duration(seconds=client.timeout_s))
    time.sleep(_LINGER_S)


def echo(client: Client, name: str, count: int | None = None, *, full: bool = False) -> None:
    """Prints the messages on a topic as YAML: `count` messages, or all of them until Ctrl-C.

    Raises NoAnswerError if the topic does not exist. With `count`, it also raises if no message
    arrives within the timeout.
    """
    name = client.full_name(name)
    kind = client.type_of('topic', name)
    messages: list[Any] = []
    offered = [each.qos_profile for each in client.node.get_publishers_info_by_topic(name)]
    profile = profile_to_hear(offered, depth=_DEPTH)
    client.node.create_subscription(kind, name, messages.append, profile)
    printed, heard = 0, time.monotonic()
    while count is None or printed < count:
        rclpy.spin_once(client.node, timeout_sec=_POLL_S)
        for message in messages[: None if count is None else count - printed]:
            print(f'{as_yaml(message, full=full)}---', flush=True)
            printed, heard = printed + 1, time.monotonic()
        messages.clear()
        if count is not None and time.monotonic() > heard + client.timeout_s:
            raise NoAnswerError(f'no message on {name} within {client.timeout_s:g} s')
