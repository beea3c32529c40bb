"""Sends responses of services after the callback, until the middleware accepts them."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from ...simulation import CommandQueue
from ..rclpy_internals import LOST_RESPONSE

Response = TypeVar('Response')
_DISCOVERY_S = 5.0
"""How long to resend a response, in seconds; its client is discovered within this time."""
_BURST, _PAUSE_S = 4, 0.02
_SEND_S = 0.5
"""How long `close` waits for the middleware, in seconds."""


class ResponseSender:
    """Sends responses from its own thread, and resends responses that the middleware drops.

    The middleware waits up to 0.1 s for a client that it has not discovered yet. Then it drops the
    response, and the client would wait forever. Therefore the response is queued again.
    """

    def __init__(self) -> None:
        self._queue = CommandQueue(lambda: None)
        self._closed = False
        self._lost = _listen()
        self._changing = threading.Lock()
        self._waiting = self._burst = 0
        """The number of responses in the queue, and the number sent in a row without a pause."""
        self._thread = threading.Thread(target=self._run, name='answers', daemon=True)
        self._thread.start()

    def submit(
        self, make: Callable[[], Response], send: Callable[[Response], None]
    ) -> Future[None]:
        """Calls `send(make())` on the thread; the future is done after the call."""
        with self._changing:
            self._waiting += 1
        return self._queue.submit(lambda: self._send_next(make, send))

    def flush(self) -> Future[None]:
        """Returns a future that is done when everything in the queue has been sent."""
        return self._queue.submit(lambda: None)

    def close(self) -> None:
        """Ends the thread after the response that is being sent."""
        self._closed = True
        self._queue.close('the server has ended')
        self._thread.join(_SEND_S)

    def _run(self) -> None:
        while not self._closed:
            self._queue.wait()

    def _send_next(self, make: Callable[[], Response], send: Callable[[Response], None]) -> None:
        with self._changing:
            self._waiting -= 1
            self._burst = self._burst + 1 if self._waiting else 0
        if self._burst == _BURST:  # every client receives all responses, and its queue holds ten
            time.sleep(_PAUSE_S)
            self._burst = 0
        self._send(make(), send, time.monotonic())

    def _send(self, response: Response, send: Callable[[Response], None], since: float) -> None:
        self._lost.answer = False
        send(response)
        if self._lost.answer and time.monotonic() - since < _DISCOVERY_S and not self._closed:
            self._queue.submit(lambda: self._send(response, send, since))


def pending_response_type(kind: Any) -> Any:
    """Creates a subclass of a service's response, to return from the service's callback.

    rclpy's executor passes the returned instance to the function that sends the responses of the
    service. `carried` holds what this function needs to send the response.
    """

    class PendingResponse(kind.Response):
        """The placeholder of a response that is sent later."""

        __slots__ = ('carried',)

        def __init__(self, carried: Any) -> None:
            super().__init__()
            self.carried = carried

    return PendingResponse


def _listen() -> threading.local:
    """Detects dropped responses; sets `answer` of the returned thread-local object to true."""
    lost, show = threading.local(), warnings.showwarning

    def notice(message: Warning | str, *args: Any, **options: Any) -> None:
        if str(message).startswith(LOST_RESPONSE) and hasattr(lost, 'answer'):
            lost.answer = True
        else:
            show(message, *args, **options)

    warnings.filterwarnings('always', LOST_RESPONSE, RuntimeWarning)
    warnings.showwarning = notice
    return lost
