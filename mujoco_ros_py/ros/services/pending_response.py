"""What a service's callback returns at once in place of an answer that comes later."""

from __future__ import annotations

from typing import Any


def pending_response_type(kind: Any) -> Any:
    """A type that passes for the response of this type of services, and carries something else.

    rclpy's executor hands it on to the `send_response` of the service, which knows what to do.
    """

    class PendingResponse(kind.Response):
        """The answer that will be."""

        __slots__ = ('carried',)

        def __init__(self, carried: Any) -> None:
            super().__init__()
            self.carried = carried

    return PendingResponse
