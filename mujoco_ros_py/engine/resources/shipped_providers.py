"""The providers that come with the package."""

from __future__ import annotations

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


def register_shipped(http_hosts: Iterable[str] = ()) -> None:
    """Registers all of them; http and https serve these hosts, none if none is given."""
    allow_hosts(http_hosts)
    for provider in _shipped:
        register(provider)


def allow_hosts(hosts: Iterable[str]) -> None:
    """Sets the hosts that http and https serve from now on."""
    allowed = tuple(hosts)
    for provider in _web:
        provider.allow(allowed)


def allowed_hosts() -> list[str]:
    """The hosts that http and https serve now."""
    return sorted(_web[0].hosts)


def standing_alone() -> dict[str, ResourceProvider]:
    """The providers that serve the same in any process, by prefix: all but `mem:`."""
    return {each.prefix: each for each in _shipped if each is not memory}
