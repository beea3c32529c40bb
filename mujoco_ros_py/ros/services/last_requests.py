"""Answers the last requests, which nobody takes as the executor has ended."""

from __future__ import annotations

import logging
import time
from typing import Any

from rclpy.node import Node

from ..rclpy_internals import answer_next
from .deferred_services import DeferredServices

_log = logging.getLogger(__name__)
_ANSWERS_S = 0.3
"""How long the end waits until responses are sent, in seconds."""
_LINGER_S = 0.1
"""How long the middleware gets to deliver responses before their sender goes, in seconds."""
_ROUNDS = 5
"""The most rounds of requests, as a client may ask on and on."""


def withdraw(node: Node, deferred: DeferredServices) -> None:
    """Destroys the node's services, after all who have asked have a response."""
    answer_waiting(node, deferred)
    deferred.close(_ANSWERS_S)
    for service in tuple(node.services):
        node.destroy_service(service)


def answer_waiting(node: Node, deferred: DeferredServices) -> None:
    """Answers the requests that wait at the node's services, until none waits."""
    for _ in range(_ROUNDS):
        taken = [_answer_next(service) for service in node.services]
        if not any(taken):
            return
        deferred.flush(_LINGER_S)
        time.sleep(_LINGER_S)


def _answer_next(service: Any) -> bool:
    """Answers a request; returns whether one waited."""
    try:
        return answer_next(service)
    except Exception:  # a plugin's callback raised, or the service is gone
        _log.debug('a last request could not be answered', exc_info=True)
        return False
