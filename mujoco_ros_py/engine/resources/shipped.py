"""The providers that come with the package."""

from __future__ import annotations

from collections.abc import Iterable

from .data import Data
from .http import Http, Https
from .memory import Memory
from .package import Package
from .registry import register
from .zip import Zip

memory = Memory()
"""The files of `mem:`."""
_web = Http(), Https()


def register_shipped(http_hosts: Iterable[str] = ()) -> None:
    """All of them; http and https serve these hosts, none if none is given."""
    allow_hosts(http_hosts)
    for provider in (Package(), Data(), memory, Zip(), *_web):
        register(provider)


def allow_hosts(hosts: Iterable[str]) -> None:
    """What http and https serve from now on."""
    allowed = tuple(hosts)
    for provider in _web:
        provider.allow(allowed)
