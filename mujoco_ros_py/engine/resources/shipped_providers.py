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
    """Registers all shipped providers; http and https serve these hosts, by default none."""
    allow_hosts(http_hosts)
    for provider in _shipped:
        register(provider)


def allow_hosts(hosts: Iterable[str]) -> None:
    """Sets the hosts that http and https serve from now on."""
    allowed = tuple(hosts)
    for provider in _web:
        provider.allow(allowed)


def allowed_hosts() -> list[str]:
    """Returns the hosts that http and https serve."""
    return sorted(_web[0].hosts)


def standing_alone() -> dict[str, ResourceProvider]:
    """Returns the providers that serve the same files in any process, by prefix: not `mem:`."""
    return {each.prefix: each for each in _shipped if each is not memory}
