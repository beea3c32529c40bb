"""The requests that nobody takes any more because the executor has ended."""

from __future__ import annotations

import logging
import time
from typing import Any

from rclpy.node import Node

from ...rclpy_internals import answer_next
from .deferred_services import DeferredServices

_log = logging.getLogger(__name__)
_ANSWERS_S = 0.3
"""How long the end waits for answers to be sent."""
_LINGER_S = 0.1
"""How long the middleware gets to deliver answers before their sender goes."""
_ROUNDS = 5
"""Who asks on and on is not waited for."""


def withdraw(node: Node, deferred: DeferredServices) -> None:
    """The node's services go; whoever asked before they went has an answer."""
    answer_waiting(node, deferred)
    deferred.close(_ANSWERS_S)
    for service in tuple(node.services):
        node.destroy_service(service)


def answer_waiting(node: Node, deferred: DeferredServices) -> None:
    """Answers what waits at each service of the node, as an executor would, until nothing does."""
    for _ in range(_ROUNDS):
        taken = [_answer_next(service) for service in node.services]
        if not any(taken):
            return
        deferred.flush(_LINGER_S)
        time.sleep(_LINGER_S)


def _answer_next(service: Any) -> bool:
    """Whether a request waited."""
    try:
        return answer_next(service)
    except Exception:  # of a plugin's service, or one that is destroyed
        _log.debug('a last request could not be answered', exc_info=True)
        return False
