"""The providers that come with the package."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from .data import Data
from .http import Http, Https
from .memory_files import Memory
from .package import Package
from .provider import ResourceProvider
from .provider_registry import register
from .zip import Zip

memory = Memory()
"""The files of `mem:`."""
_web = Http(), Https()
_shipped: tuple[ResourceProvider, ...] = (Package(), Data(), Zip(), memory, *_web)
_lock = threading.Lock()
_granted: dict[HostGrant, frozenset[str]] = {}


class HostGrant:
    """Hosts that one owner, a session for example, allows until the grant ends.

    http and https serve the hosts of all grants: MuJoCo has one provider of each for the process,
    and does not tell for whom it opens a file.
    """

    def __init__(self) -> None:
        self._ended = False

    def allow(self, hosts: Iterable[str]) -> None:
        """Replaces the hosts of this grant; does nothing after its end."""
        with _lock:
            if not self._ended:
                _granted[self] = frozenset(hosts)
                _serve_granted()

    def end(self) -> None:
        """Takes back the hosts that no other grant has; a second call does nothing."""
        with _lock:
            self._ended = True
            _granted.pop(self, None)
            _serve_granted()


_program = HostGrant()


def register_shipped(http_hosts: Iterable[str] | None = None) -> None:
    """Registers all shipped providers, and has http and https serve these hosts if any are given.

    No hosts are served before some are allowed, and an empty list takes back what this function
    has allowed.
    """
    if http_hosts is not None:
        allow_hosts(http_hosts)
    for provider in _shipped:
        register(provider)


def allow_hosts(hosts: Iterable[str]) -> None:
    """Sets the hosts that http and https serve from now on, besides those of grants."""
    _program.allow(hosts)


def allowed_hosts() -> list[str]:
    """Returns the hosts that http and https serve."""
    return sorted(_web[0].hosts)


def standing_alone() -> dict[str, ResourceProvider]:
    """Returns the providers that serve the same files in any process, by prefix: not `mem:`."""
    return {each.prefix: each for each in _shipped if each is not memory}


def _serve_granted() -> None:
    hosts = frozenset[str]().union(*_granted.values())
    for provider in _web:
        provider.allow(hosts)
