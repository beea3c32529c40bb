"""Runs the service callbacks of plugins on their own threads, and sends the responses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy

from ...simulation import Owner
from ..rclpy_internals import replace_callback, replace_send, send_function
from ..services.response_sender import ResponseSender, pending_response_type

REQUESTS = QoSProfile(
    history=HistoryPolicy.KEEP_LAST, depth=1000, reliability=ReliabilityPolicy.RELIABLE
)
"""The QoS profile of services; the queue of rclpy's default profile holds only ten requests."""


def defer(
    service: Any, function: Callable[[Any, Any], Any], owner: Owner, answers: ResponseSender
) -> None:
    """Makes the service call the function on its owner's thread, and respond after it returns.

    The function returns the response, or a future of it from `concurrent.futures` or rclpy. If it
    raises or returns anything else, the plugin fails and the client gets no response.
    """
    kind, send_now = service.srv_type, send_function(service)
    what = f'{getattr(function, "__qualname__", repr(function))} (service {service.srv_name})'
    called = owner.callback(what, function)

    def answer(request: Any, header: Any) -> None:
        given = called(request, kind.Response())
        if hasattr(given, 'add_done_callback'):
            given.add_done_callback(lambda done: owner.thread.run(lambda: settle(done, header)))
        elif not owner.closed:
            send(given, header)

    def settle(done: Any, header: Any) -> None:
        error = done.exception()
        if error is not None:
            owner.fail(what, error)
        else:
            send(done.result(), header)

    def send(given: Any, header: Any) -> None:
        if not isinstance(given, kind.Response):
            came = type(given).__name__
            wrong = TypeError(f'must return {kind.__name__}.Response or a future, got {came}')
            owner.fail(what, wrong)
            return
        answers.submit(lambda: given, lambda response: send_now(response, header))

    def send_later(pending: Any, header: Any) -> None:
        owner.thread.run(lambda: answer(pending.carried, header))

    pending_response = pending_response_type(kind)
    replace_callback(service, lambda request, response: pending_response(request))
    replace_send(service, send_later)
