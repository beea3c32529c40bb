"""Controls access to the page: requires its address with the token, in a local browser."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass

_TOKEN_BYTES = 24
_LOOPBACK_NAMES = ('127.0.0.1', 'localhost')


def new_token() -> str:
    """Returns a random token for the page's address."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


class Audience:
    """The number of pages that receive states, counted by the page's server."""

    count = 0


@dataclass(frozen=True, slots=True)
class Refusal:
    """The HTTP status and the text of the answer to a refused request."""

    status: int
    reason: str


class PageAccess:
    """Decides which requests are refused, before any other code handles them.

    The token is the first part of each path. It is not a cookie, because browsers send cookies
    automatically, to every port of a host, and also with requests from other sites.
    """

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    def refusal(
        self, path: str, host: str | None, origin: str | None, *, upgrade: bool
    ) -> Refusal | None:
        """Returns why a request is refused; None if it is allowed.

        `host` and `origin` are headers of the request. To prevent DNS rebinding, the host must be
        a name of the loopback interface, with any port. The origin, if given, must be a page of
        the same host. An `upgrade` to a WebSocket must have an origin, because browsers always
        send one.
        """
        if not _is_loopback(host):
            return Refusal(403, 'wrong Host: the viewer answers as 127.0.0.1 and localhost')
        if (origin is not None or upgrade) and origin != f'http://{host}':
            return Refusal(403, 'wrong Origin: only its own page can use the viewer')
        given = path.split('?', 1)[0].split('/')[1:2]
        if not given or not hmac.compare_digest(given[0].encode(errors='replace'), self._token):
            return Refusal(403, 'wrong token: use the address that the server prints')
        return None

    def inner_path(self, path: str) -> str:
        """Returns the path and query of an allowed request, without the token."""
        rest = path[1 + len(self._token) :]
        return rest if rest.startswith('/') else '/' + rest


def _is_loopback(host: str | None) -> bool:
    name, colon, port = (host or '').partition(':')
    valid = port.isascii() and port.isdigit() if colon else True
    return name.lower() in _LOOPBACK_NAMES and valid
