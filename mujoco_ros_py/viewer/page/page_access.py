"""Who may see the page: who has its address, with the token, in a browser on this machine."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass

_TOKEN_BYTES = 24
_LOOPBACK_NAMES = ('127.0.0.1', 'localhost')


def new_token() -> str:
    """Returns a random token for an address."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


class Audience:
    """How many pages get states; the server of the page counts, and others look."""

    count = 0


@dataclass(frozen=True, slots=True)
class Refusal:
    """The status and the text of an answer to a request that is refused."""

    status: int
    reason: str


class PageAccess:
    """Tells which requests are refused, before anything else looks at them.

    The token is the first part of each path, and no cookie: a browser sends cookies to every port
    of a host, and by itself, also with requests that another site makes.
    """

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    def refusal(
        self, path: str, host: str | None, origin: str | None, *, upgrade: bool
    ) -> Refusal | None:
        """Returns why a request is refused; None: it is not.

        `host` and `origin` are the headers of the request. The host must be a name of the loopback
        interface, with any port, so that no other name leads here (DNS rebinding); requests that
        come from a page must come from a page of the same host, and `upgrade`, to a WebSocket,
        always tells where it comes from.
        """
        if not _is_loopback(host):
            return Refusal(403, 'wrong Host: the viewer answers as 127.0.0.1 and localhost')
        if (origin is not None or upgrade) and origin != f'http://{host}':
            return Refusal(403, 'wrong Origin: only its own page may use the viewer')
        given = path.split('?', 1)[0].split('/')[1:2]
        if not given or not hmac.compare_digest(given[0].encode(errors='replace'), self._token):
            return Refusal(403, 'the address of the viewer has a token, which the server prints')
        return None

    def inner_path(self, path: str) -> str:
        """Returns the path behind the token of a request that is not refused, with its query."""
        rest = path[1 + len(self._token) :]
        return rest if rest.startswith('/') else '/' + rest


def _is_loopback(host: str | None) -> bool:
    name, colon, port = (host or '').partition(':')
    valid = port.isascii() and port.isdigit() if colon else True
    return name.lower() in _LOOPBACK_NAMES and valid
