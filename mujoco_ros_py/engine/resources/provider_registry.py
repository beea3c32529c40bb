"""Registers resource providers with MuJoCo, and forwards MuJoCo's calls to them."""

from __future__ import annotations

import ctypes
import itertools
import logging
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import ResourceError
from ...mujoco_internals import ProviderStruct, ResourceStruct
from ...mujoco_resources import is_registered
from ..libmujoco import library
from .failures import explain_loads, keep_failure, reason, shown
from .provider import ResourceProvider, fitting

_log = logging.getLogger(__name__)
_P, _I = ctypes.c_void_p, ctypes.c_int
_MOST = 2**31 - 1
"""The maximum size of a resource in bytes; MuJoCo stores the size in an int."""


_Argument = ctypes.POINTER(ResourceStruct)
_CALL = ctypes.CFUNCTYPE(_I, _Argument)
_CALLBACKS: dict[str, Any] = {
    'open': _CALL,
    'read': ctypes.CFUNCTYPE(_I, _Argument, ctypes.POINTER(_P)),
    'close': ctypes.CFUNCTYPE(None, _Argument),
    'mount': _CALL,
    'unmount': _CALL,
    'modified': ctypes.CFUNCTYPE(_I, _Argument, ctypes.c_char_p),
}


@dataclass(slots=True)
class _Opened:
    """An open resource; MuJoCo uses the memory of `contents` until it closes the resource."""

    provider: ResourceProvider
    number: int
    """The registration number of the provider."""
    uri: str
    handle: Any
    contents: Any = None


class _Slot:
    """The entry of a prefix in MuJoCo's provider table, kept until the process exits."""

    def __init__(self, provider: ResourceProvider) -> None:
        self.use(provider)
        self._callbacks = {n: kind(getattr(self, f'_{n}')) for n, kind in _CALLBACKS.items()}
        struct = ProviderStruct(prefix=provider.prefix.encode())
        for name, callback in self._callbacks.items():
            setattr(struct, name, ctypes.cast(callback, _P).value)
        self._struct = struct  # MuJoCo keeps the address of the prefix
        library().mjp_registerProvider(ctypes.byref(struct))

    def use(self, provider: ResourceProvider) -> None:
        """Sets the provider that opens files; files that are already open keep their provider."""
        self.registered = provider, next(_registrations)

    def _open(self, resource: Any) -> int:
        provider, number = self.registered
        uri = _uri(resource, provider)
        try:
            # MuJoCo ignores a failed mount and opens the file anyway, so the error is raised here.
            _raise_mount_error()
            opened = _Opened(provider, number, uri, provider.open(uri))
        except BaseException as error:
            keep_failure(uri, error)
            return 0
        try:
            stamp = fitting(provider.timestamp(opened.handle))
            # Includes the registration number, because MuJoCo caches files by name and timestamp,
            # and a later provider may serve another file under the same name.
            resource[0].timestamp = f'{number} {stamp}'.encode()
        except BaseException as error:
            keep_failure(uri, error)
            _close(opened)
            return 0
        resource[0].data = key = next(_keys)
        _opened[key] = opened
        return 1

    def _read(self, resource: Any, buffer: Any) -> int:
        opened = _opened[resource[0].data]
        try:
            if opened.contents is None:
                opened.contents = contents(opened.provider, opened.handle)
        except BaseException as error:
            keep_failure(opened.uri, error)
            return -1
        # Not copied: the array stays in `_opened` until MuJoCo closes the resource.
        buffer[0] = opened.contents.ctypes.data
        return int(opened.contents.size)

    def _close(self, resource: Any) -> None:
        opened = _opened.pop(resource[0].data, None)
        resource[0].data = None
        if opened is not None:
            _close(opened)

    def _modified(self, resource: Any, timestamp: bytes) -> int:
        """Returns whether a resource changed; true if its provider has been replaced since."""
        opened = _opened[resource[0].data]
        number, _, stamp = timestamp.decode().partition(' ')
        try:
            return int(
                number != str(opened.number)
                or bool(opened.provider.modified(opened.handle, stamp))
            )
        except BaseException:  # MuJoCo then reads the resource again, and `read` reports the error
            return 1

    def _mount(self, resource: Any) -> int:
        """Mounts a resource; keeps an error for `_open`, which follows on the same thread."""
        _thread.__dict__.pop('mount_error', None)  # from an earlier mount without an open
        try:
            self.registered[0].mount(os.fsdecode(resource[0].name))
        except BaseException as error:
            _thread.mount_error = error
            return 0
        return 1

    def _unmount(self, resource: Any) -> int:
        try:
            self.registered[0].unmount(os.fsdecode(resource[0].name))
        except Exception:
            _log.exception('%s: unmount raised', os.fsdecode(resource[0].name))
            return 0
        return 1


_keys = itertools.count(1)
_registrations = itertools.count(1)
_opened: dict[int, _Opened] = {}
_slots: dict[str, _Slot] = {}
_lock = threading.Lock()
_thread = threading.local()


def register(provider: ResourceProvider | type[ResourceProvider]) -> None:
    """Registers a provider, replacing an earlier one with the same prefix and module.

    A class is called without arguments to create the provider. Raises ResourceError for an invalid
    class or prefix, and for a prefix taken by a class of another module or by a library.
    """
    kind = provider if isinstance(provider, type) else type(provider)
    if not issubclass(kind, ResourceProvider):
        raise ResourceError(f'{kind.__qualname__} must be derived from ResourceProvider')
    kind.check()
    if isinstance(provider, type):
        provider = provider()
    with _lock:
        if slot := _slots.get(provider.prefix.lower()):
            before = type(slot.registered[0])
            # Only the module that defined the previous class can replace it, after a reload.
            if before.__module__ != type(provider).__module__:
                taken_by = f'class {before.__module__}.{before.__qualname__}'
                raise ResourceError(f'prefix {provider.prefix!r} is taken by {taken_by}')
        _put(provider)


def replace(provider: ResourceProvider) -> None:
    """Registers a provider, even if a class of another module has its prefix.

    Used in a process that compiles models for another process and takes over its providers.
    """
    with _lock:
        _put(provider)


def _put(provider: ResourceProvider) -> None:
    prefix = provider.prefix.lower()
    if prefix in _slots:
        _slots[prefix].use(provider)
        return
    # MuJoCo ends the process if a prefix is registered twice.
    if is_registered(f'{prefix}:'):
        raise ResourceError(f'prefix {prefix!r} is taken by a library')
    if not _slots:
        explain_loads()
    _slots[prefix] = _Slot(provider)


def registered() -> dict[str, tuple[ResourceProvider, int]]:
    """Returns the Python providers by prefix, each with its registration number."""
    with _lock:
        return {prefix: slot.registered for prefix, slot in _slots.items()}


def restore(before: Mapping[str, tuple[ResourceProvider, int]]) -> None:
    """Restores the providers that an earlier call of `registered` returned."""
    with _lock:
        for prefix, (provider, number) in before.items():
            if _slots[prefix].registered != (provider, number):
                _slots[prefix].use(provider)


def read(uri: str) -> bytes:
    """Reads a resource of a Python provider. Raises ResourceError with the URI and the reason."""
    if not isinstance(uri, str):
        raise ResourceError(f'a URI must be a string, got {type(uri).__name__}')
    slot = _slots.get(uri.partition(':')[0].lower())
    if slot is None:
        raise ResourceError(f'{shown(uri)}: no such prefix; known: {", ".join(sorted(_slots))}')
    provider, _ = slot.registered
    try:
        provider.mount(provider.prefix)
        try:
            handle = provider.open(uri)
            try:
                return bytes(contents(provider, handle))
            finally:
                provider.close(handle)
        finally:
            provider.unmount(provider.prefix)
    except Exception as error:
        raise ResourceError(reason(uri, error)) from error


def _uri(resource: Any, provider: ResourceProvider) -> str:
    """Returns the name of the resource, with the scheme in the provider's spelling."""
    # MuJoCo ignores the case of the scheme, but authors compare it with `prefix`.
    scheme, colon, rest = os.fsdecode(resource[0].name).partition(':')
    matches = scheme.lower() == provider.prefix.lower()
    return (provider.prefix if matches else scheme) + colon + rest


def contents(provider: ResourceProvider, handle: Any) -> Any:
    """Returns the contents of an opened resource as an array of bytes, without a copy."""
    content = provider.read(handle)
    try:
        array = np.frombuffer(content, np.uint8)
    except (TypeError, AttributeError):
        kind = type(content).__name__
        raise TypeError(f'read must return bytes, got {kind}') from None
    if not 0 < array.size <= _MOST:
        raise ValueError(f'must have 1 to {_MOST:,} bytes, got {array.size:,}')
    return array


def _raise_mount_error() -> None:
    error: BaseException | None = _thread.__dict__.pop('mount_error', None)
    if error is not None:
        raise error


def _close(opened: _Opened) -> None:
    try:
        opened.provider.close(opened.handle)
    except Exception:
        _log.exception('%s: close raised', shown(opened.uri))
