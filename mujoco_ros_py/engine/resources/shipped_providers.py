"""The providers that are part of this package."""

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
    """Hosts that one owner, such as a session, allows until the grant ends.

    http and https serve the hosts of all grants: a process has only one provider per prefix, and
    MuJoCo does not report for which owner a file is opened.
    """

    def __init__(self) -> None:
        self._ended = False

    def allow(self, hosts: Iterable[str]) -> None:
        """Replaces the hosts of this grant; does nothing after the grant has ended."""
        with _lock:
            if not self._ended:
                _granted[self] = frozenset(hosts)
                _serve_granted()

    def end(self) -> None:
        """Revokes the hosts that no other grant includes; a second call does nothing."""
        with _lock:
            self._ended = True
            _granted.pop(self, None)
            _serve_granted()


_program = HostGrant()


def register_shipped(http_hosts: Iterable[str] | None = None) -> None:
    """Registers all shipped providers; makes http and https serve these hosts, if given.

    Initially no hosts are served. An empty list revokes the hosts that this function has allowed.
    """
    if http_hosts is not None:
        allow_hosts(http_hosts)
    for provider in _shipped:
        register(provider)


def allow_hosts(hosts: Iterable[str]) -> None:
    """Sets the hosts that http and https serve in addition to the hosts of grants."""
    _program.allow(hosts)


def allowed_hosts() -> list[str]:
    """Returns the hosts that http and https serve."""
    return sorted(_web[0].hosts)


def standing_alone() -> dict[str, ResourceProvider]:
    """Returns, by prefix, the providers that work the same in any process: all but `mem:`."""
    return {each.prefix: each for each in _shipped if each is not memory}


def _serve_granted() -> None:
    hosts = frozenset[str]().union(*_granted.values())
    for provider in _web:
        provider.allow(hosts)
