"""Sends answers of services until the middleware takes them."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable
from typing import Any

from ...rclpy_internals import LOST_RESPONSE
from ...simulation import CommandQueue

_DISCOVERY_S = 5.0
"""How long a client may take to be discovered, after it has asked."""
_SEND_S = 0.5
"""How long the end waits for the middleware, which waits up to 0.1 s for a client."""


class ResponseSender:
    """One thread that sends: the middleware waits up to 0.1 s for a client it does not know yet.

    After that it drops the answer, for which the client would wait for ever; here it comes last in
    the queue again.
    """

    def __init__(self) -> None:
        self._queue = CommandQueue(lambda: None)
        self._closed = False
        self._lost = _listen()
        self._thread = threading.Thread(target=self._run, name='answers', daemon=True)
        self._thread.start()

    def submit(self, make: Callable[[], Any], send: Callable[[Any], None]) -> Any:
        """Sends what `make()` returns, both on the thread; a future of whether it was sent."""
        return self._queue.submit(lambda: self._send(make(), send, time.monotonic()))

    def flush(self) -> Any:
        """A future of when all that is in the queue was sent."""
        return self._queue.submit(lambda: None)

    def close(self) -> None:
        """No more; waits for the one that is being sent."""
        self._closed = True
        self._queue.close('the server has ended')
        self._thread.join(_SEND_S)

    def _run(self) -> None:
        while not self._closed:
            self._queue.wait()

    def _send(self, response: Any, send: Callable[[Any], None], since: float) -> None:
        self._lost.answer = False
        send(response)
        if self._lost.answer and time.monotonic() - since < _DISCOVERY_S and not self._closed:
            self._queue.submit(lambda: self._send(response, send, since))


def _listen() -> Any:
    """An object whose `answer` is true in a thread of which rclpy has told that one was lost."""
    lost, show = threading.local(), warnings.showwarning

    def notice(message: Warning | str, *args: Any, **options: Any) -> None:
        if str(message).startswith(LOST_RESPONSE) and hasattr(lost, 'answer'):
            lost.answer = True
        else:
            show(message, *args, **options)

    warnings.filterwarnings('always', LOST_RESPONSE, RuntimeWarning)
    warnings.showwarning = notice
    return lost
