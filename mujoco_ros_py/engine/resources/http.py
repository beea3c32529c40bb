"""`http:` and `https:`: files from allowed hosts."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from ...errors import ResourceError
from .provider import ResourceProvider, checked

_MIB = 2**20
_CHUNK = 2**16


class Http(ResourceProvider):
    """Reads files only from allowed hosts, also after redirects; by default no host is allowed."""

    prefix = 'http'

    def __init__(
        self, hosts: Iterable[str] = (), timeout_s: float = 20.0, limit: int = 256 * _MIB
    ) -> None:
        self.allow(hosts)
        self._timeout_s = timeout_s
        """The maximum duration of one file transfer in s, from the request to the last byte."""
        self._limit = limit
        """The maximum size of a file, in bytes."""

    def allow(self, hosts: Iterable[str]) -> None:
        """Replaces the allowed hosts, each ``name`` or ``name:port``."""
        self.hosts = frozenset(host.lower() for host in hosts)

    def open(self, uri: str) -> tuple[Any, float]:
        """Returns the server's response with its header read, and the deadline of the transfer."""
        self.check_host(uri)
        end = time.monotonic() + self._timeout_s
        return _opener(self).open(uri, timeout=self._timeout_s), end

    def read(self, opened: tuple[Any, float]) -> bytes:
        """Reads the body of the response."""
        response, end = opened
        content = bytearray()
        # `read1` returns the bytes that have arrived, so that a slow server cannot delay the
        # deadline check.
        while chunk := response.read1(_CHUNK):
            content += chunk
            if len(content) > self._limit:
                raise ResourceError(f'is longer than {self._limit:,} bytes')
            if time.monotonic() > end:
                raise ResourceError(f'took longer than {self._timeout_s:g} s')
        # A broken connection looks like the end of the file.
        length = response.headers.get('Content-Length')
        if length is not None and int(length) != len(content):
            raise ResourceError(f'ended after {len(content):,} of {int(length):,} bytes')
        return checked(bytes(content))

    def close(self, opened: tuple[Any, float]) -> None:
        """Closes the connection."""
        opened[0].close()

    def timestamp(self, opened: tuple[Any, float]) -> str:
        """Returns the version that the server reports."""
        headers = opened[0].headers
        return str(headers.get('ETag') or headers.get('Last-Modified') or '')

    def check_host(self, uri: str) -> None:
        """Raises ResourceError for a host that is not allowed."""
        parts = urlsplit(uri)
        host = parts.hostname or ''
        port = parts.port or {'http': 80, 'https': 443}.get(parts.scheme)
        if parts.scheme not in ('http', 'https') or not {host, f'{host}:{port}'} & self.hosts:
            allowed = ', '.join(sorted(self.hosts)) or 'none'
            raise ResourceError(f'host {host!r} is not allowed; allowed: {allowed}')


class Https(Http):
    """Reads files from allowed hosts over HTTPS."""

    prefix = 'https'


def _opener(provider: Http) -> Any:
    """Returns an opener that only follows redirects to allowed hosts."""
    # Imported when needed, because the import takes longer than the rest of the package.
    from urllib.request import HTTPRedirectHandler, build_opener

    class Redirects(HTTPRedirectHandler):
        def redirect_request(
            self, request: Any, file: Any, code: int, message: str, headers: Any, url: str
        ) -> Any:
            provider.check_host(url)
            return super().redirect_request(request, file, code, message, headers, url)

    return build_opener(Redirects)
