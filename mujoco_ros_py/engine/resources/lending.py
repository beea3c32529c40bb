"""Serves the files of this process's resource providers to another process.

The process with the providers uses `Lender`; the other process uses `borrow`.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ...errors import ResourceError
from .failures import message_of
from .provider import ResourceProvider, fitting
from .provider_registry import contents, registered, replace
from .shipped_providers import allow_hosts, allowed_hosts, standing_alone

_log = logging.getLogger(__name__)
_Call = Callable[..., tuple[Mapping[str, Any], Iterable[Any]]]


@dataclass(frozen=True, slots=True)
class _Lent:
    provider: ResourceProvider
    handle: Any


class Lender:
    """Serves the other process's requests until `close`."""

    def __init__(self) -> None:
        self._lent: dict[int, _Lent] = {}
        self._keys = itertools.count()

    def calls(self) -> dict[str, Callable[..., Any]]:
        """Returns the functions that the other process can call."""
        methods = self._open, self._read, self._modified, self._close
        return {method.__name__.strip('_'): _answering(method) for method in methods}

    def close(self) -> None:
        """Closes files that the other process has left open."""
        for key in tuple(self._lent):
            try:
                self._close(key)
            except Exception:
                _log.exception('a resource provider raised an exception while closing a file')

    def _open(self, uri: str) -> tuple[dict[str, Any], list[Any]]:
        provider, number = registered()[uri.partition(':')[0].lower()]
        # MuJoCo also mounts the prefix for each file.
        provider.mount(provider.prefix)
        try:
            handle = provider.open(uri)
        except BaseException:
            provider.unmount(provider.prefix)
            raise
        key = next(self._keys)
        self._lent[key] = _Lent(provider, handle)
        return {'key': key, 'number': number, 'stamp': fitting(provider.timestamp(handle))}, []

    def _read(self, key: int) -> tuple[dict[str, Any], list[Any]]:
        lent = self._lent[key]
        return {}, [contents(lent.provider, lent.handle)]

    def _modified(self, key: int, stamp: str) -> tuple[dict[str, Any], list[Any]]:
        lent = self._lent[key]
        return {'modified': bool(lent.provider.modified(lent.handle, stamp))}, []

    def _close(self, key: int) -> tuple[dict[str, Any], list[Any]]:
        lent = self._lent.pop(key)
        try:
            lent.provider.close(lent.handle)
        finally:
            lent.provider.unmount(lent.provider.prefix)
        return {}, []


def offered() -> dict[str, Any]:
    """Describes this process's providers; the result is the `offer` for `borrow`."""
    alone: list[str] = []
    lent: list[str] = []
    for prefix, (provider, _) in registered().items():
        shipped = standing_alone().get(prefix)
        (alone if provider is shipped else lent).append(provider.prefix)
    return {'alone': alone, 'lent': lent, 'hosts': allowed_hosts()}


def borrow(offer: Mapping[str, Any], call: _Call) -> None:
    """Registers the offered providers; `call(name, *arguments)` calls the Lender.

    Providers that are already registered stay, so MuJoCo's cache of their files stays valid.
    """
    present = {prefix: provider for prefix, (provider, _) in registered().items()}
    allow_hosts(offer['hosts'])
    for prefix in offer['alone']:
        if present.get(prefix) is not (shipped := standing_alone()[prefix]):
            replace(shipped)
    for prefix in offer['lent']:
        # If a borrowed provider were registered again, MuJoCo would read all files again.
        if not isinstance(present.get(prefix.lower()), _Borrowed):
            replace(_Borrowed.of(prefix, call))


def _answering(method: Callable[..., Any]) -> Callable[..., Any]:
    def answer(*arguments: Any) -> Any:
        try:
            return method(*arguments)
        except BaseException as error:  # user code may also raise SystemExit
            return {'reason': message_of(error)}, []

    return answer


class _Borrowed(ResourceProvider):
    """Forwards calls to a provider of the other process; a handle is its response to 'open'."""

    _call: _Call

    @classmethod
    def of(cls, prefix: str, call: _Call) -> ResourceProvider:
        borrowed: _Borrowed = type(cls.__name__, (cls,), {'prefix': prefix})()
        borrowed._call = call
        return borrowed

    def open(self, uri: str) -> Mapping[str, Any]:
        return self._ask('open', uri)[0]

    def read(self, opened: Mapping[str, Any]) -> Any:
        (content,) = self._ask('read', opened['key'])[1]
        return content

    def close(self, opened: Mapping[str, Any]) -> None:
        with suppress(ResourceError):  # logged in the other process
            self._ask('close', opened['key'])

    def timestamp(self, opened: Mapping[str, Any]) -> str:
        return f'{opened["number"]} {opened["stamp"]}' if opened['stamp'] else ''

    def modified(self, opened: Mapping[str, Any], timestamp: str) -> bool:
        number, _, stamp = timestamp.partition(' ')
        if number != str(opened['number']):
            return True
        return bool(self._ask('modified', opened['key'], stamp)[0]['modified'])

    def _ask(self, name: str, *arguments: Any) -> tuple[Mapping[str, Any], Iterable[Any]]:
        message, files = self._call(name, *arguments)
        if 'reason' in message:
            raise ResourceError(message['reason'])
        return message, files
