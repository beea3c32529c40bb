"""Services that respond when a future is done, without blocking the executor."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any

from rclpy.node import Node

from ...session import START_TIMEOUT_S
from ...simulation import StartTimeouts
from ..rclpy_internals import answer_next, replace_send, send_function
from .response_sender import ResponseSender, pending_response_type

_log = logging.getLogger(__name__)

_LOOK_S = 0.25
Answer = Callable[[Any, Any, BaseException | None], None]
"""A function that fills a response. Its arguments are the response, the result of the work, and
the error if the work failed."""
Begun = Future[Any] | tuple[Future[Any], Answer]
"""A call that has begun: its future, optionally with a function that fills only its response."""


class DeferredServices:
    """Creates services whose callbacks return a future.

    A future that is not running after 2 s is cancelled, and its client gets the error `busy()`.
    """

    def __init__(self, node: Node, busy: Callable[[], str]) -> None:
        self._node = node
        self._busy = busy
        self._timeouts = StartTimeouts(START_TIMEOUT_S, _LOOK_S)
        self._answers = ResponseSender()

    def create(
        self,
        kind: Any,
        name: str,
        begin: Callable[[Any], Begun],
        fill: Answer,
    ) -> None:
        """Offers a service of this type and name.

        `begin(request)` returns a future or raises. When the future is done, `fill(response,
        result, error)` writes the response. `begin` may also return a future and another `fill`,
        which then replaces `fill` for this call.
        """
        pending_response = pending_response_type(kind)

        def called(request: Any, response: Any) -> Any:
            return pending_response(_begun(begin, request))

        service = self._node.create_service(kind, name, called)
        send_now = send_function(service)

        def send(pending: Any, header: Any) -> None:
            begun = pending.carried
            called, write = begun if isinstance(begun, tuple) else (begun, fill)

            def answer(future: Future[Any]) -> Any:
                response = kind.Response()
                try:
                    write(response, *self._outcome(future))
                except Exception as error:  # the client gets a response anyway
                    _log.exception('%s could not be answered in full', name)
                    write(response, None, RuntimeError(type(error).__name__))
                return response

            def done(future: Future[Any]) -> None:
                sent = self._answers.submit(lambda: answer(future), lambda r: send_now(r, header))
                sent.add_done_callback(_log_failure)

            self._timeouts.add(called)
            called.add_done_callback(done)

        replace_send(service, send)

    def flush(self, timeout_s: float) -> None:
        """Waits until the responses so far are sent; the services continue."""
        wait([self._answers.flush()], timeout_s)

    def close(self, timeout_s: float) -> None:
        """Waits until the responses so far are sent, then stops sending."""
        self.flush(timeout_s)
        self._timeouts.close()
        self._answers.close()

    def _outcome(self, future: Future[Any]) -> tuple[Any, BaseException | None]:
        if future.cancelled():
            return None, TimeoutError(self._busy())
        error = future.exception()
        return (None, error) if error is not None else (future.result(), None)


def _log_failure(sent: Future[None]) -> None:
    """Logs a response that cannot be sent; the node may be gone."""
    if sent.exception() is not None:
        _log.debug('a response was not sent', exc_info=sent.exception())


def _begun(begin: Callable[[Any], Begun], request: Any) -> Begun:
    try:
        return begin(request)
    except Exception as error:  # the error becomes the response
        failed: Future[Any] = Future()
        failed.set_exception(error)
        return failed


_ANSWERS_S = 0.3
"""How long `withdraw` waits until responses are sent, in seconds."""
_LINGER_S = 0.1
"""How long to wait for the delivery of responses before destroying their sender, in seconds."""
_ROUNDS = 5
"""The maximum number of rounds of requests, because a client may send requests forever."""


def withdraw(node: Node, deferred: DeferredServices) -> None:
    """Destroys the node's services after answering all requests that have arrived."""
    answer_waiting(node, deferred)
    deferred.close(_ANSWERS_S)
    for service in tuple(node.services):
        node.destroy_service(service)


def answer_waiting(node: Node, deferred: DeferredServices) -> None:
    """Answers the requests waiting at the node's services, until no request waits."""
    for _ in range(_ROUNDS):
        taken = [_answer_next(service) for service in node.services]
        if not any(taken):
            return
        deferred.flush(_LINGER_S)
        time.sleep(_LINGER_S)


def _answer_next(service: Any) -> bool:
    """Answers a request; returns whether a request was waiting."""
    try:
        return answer_next(service)
    except Exception:  # a plugin's callback raised, or the service is gone
        _log.debug('a last request could not be answered', exc_info=True)
        return False
