"""An object that a service's callback returns in place of a response that comes later."""

from __future__ import annotations

from typing import Any


def pending_response_type(kind: Any) -> Any:
    """Makes a subclass of a service's response, whose instances carry another object.

    rclpy's executor passes such an instance to what sends the service's responses.
    """

    class PendingResponse(kind.Response):
        """The response that comes later."""

        __slots__ = ('carried',)

        def __init__(self, carried: Any) -> None:
            super().__init__()
            self.carried = carried

    return PendingResponse
