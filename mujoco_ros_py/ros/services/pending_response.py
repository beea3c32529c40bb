"""A placeholder that a service's callback returns instead of a response."""

from __future__ import annotations

from typing import Any


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
