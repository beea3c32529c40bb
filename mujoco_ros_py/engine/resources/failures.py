"""Why a resource could not be had: how it gets into the error of the load."""

from __future__ import annotations

import functools
import logging
import re
import threading
from collections.abc import Callable
from typing import Any

import mujoco

from ...errors import MujocoRosError
from ..foreign.mujoco_internals import library

_log = logging.getLogger(__name__)
_EXPECTED = (OSError, ValueError, MujocoRosError)
_LENGTH = 300
_BEGINNING = 20
_LOADERS = {
    mujoco.MjModel: ('from_xml_path', 'from_xml_string', 'from_binary_path'),
    mujoco.MjSpec: ('from_file', 'from_string'),
}
"""What parses: there MuJoCo says which file could not be opened, and has no place for a reason."""

_Failures = list[tuple[str, BaseException]]
_load = threading.local()
"""`failures` of the load that this thread is in."""


def shown(uri: str) -> str:
    """A URI for messages; those that carry their data are cut short."""
    return uri if len(uri) <= _LENGTH else f'{uri[: _LENGTH // 2]}... ({len(uri)} characters)'


def reason(uri: str, error: BaseException) -> str:
    """URI and reason."""
    text = told(error)
    if text.startswith(uri):
        return shown(uri) + text[len(uri) :]
    return f'{shown(uri)}: {text}'


def told(error: BaseException) -> str:
    """The message of an error, with its kind where the message is not meant for users."""
    text = str(error).strip()
    kind = '' if text and isinstance(error, _EXPECTED) else type(error).__name__
    return ': '.join(filter(None, (kind, text)))


def tell(uri: str, error: BaseException) -> None:
    """Notes a failure in a callback for the load.

    Beyond the loaders that `explain_loads` changed, models are compiled, on whatever thread. The
    compiler puts warnings into its error.
    """
    failures: _Failures | None = getattr(_load, 'failures', None)
    if failures is not None:
        failures.append((uri, error))
        return
    if not isinstance(error, _EXPECTED):
        _log.error('%s', reason(uri, error), exc_info=error)
    library().mju_warning(b'%s', reason(uri, error).encode(errors='replace'))


@functools.cache
def explain_loads() -> None:
    """From now on what the bindings raise for a model tells the reasons too."""
    for owner, names in _LOADERS.items():
        for name in names:
            setattr(owner, name, staticmethod(_explained(getattr(owner, name))))


def _explained(load: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(load)
    def explained(*args: Any, **keywords: Any) -> Any:
        outer = getattr(_load, 'failures', None)
        failures: _Failures = []
        _load.failures = failures
        try:
            return load(*args, **keywords)
        except ValueError as error:
            _raise(error, failures)
        finally:
            _load.failures = outer

    return explained


def _raise(error: ValueError, failures: _Failures) -> None:
    """MuJoCo's error with the reasons; an interrupt (Ctrl-C) in their place."""
    message = str(error).rstrip()
    concerned = [failure for failure in failures if _concerns(message, failure[0])]
    for _, cause in failures:
        if not isinstance(cause, Exception):
            raise cause
    reasons = dict.fromkeys(reason(*failure) for failure in concerned)
    raise ValueError('\n'.join([message, *reasons])) from (concerned[-1][1] if concerned else None)


def _concerns(message: str, uri: str) -> bool:
    """MuJoCo looks for some files in several places: only what it misses in the end counts."""
    if "'" not in message:  # it names none
        return True
    if len(uri) > _LENGTH:  # the message, too, is cut short
        return uri[:_BEGINNING] in message
    return re.split('[/:]', uri)[-1] in message
