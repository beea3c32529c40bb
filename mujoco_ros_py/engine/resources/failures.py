"""Explains in the error of a failed load why a resource could not be read."""

from __future__ import annotations

import functools
import logging
import re
import threading
from collections.abc import Callable
from typing import Any

import mujoco

from ... import mujoco_resources
from ...errors import MujocoRosError
from ..libmujoco import library

_log = logging.getLogger(__name__)
_EXPECTED = (OSError, ValueError, MujocoRosError)
_LENGTH = 300
_BEGINNING = 20
_LOADERS: dict[Any, tuple[str, ...]] = {
    mujoco.MjModel: ('from_xml_path', 'from_xml_string', 'from_binary_path'),
    mujoco.MjSpec: ('from_file', 'from_string'),
    mujoco_resources: ('read', 'exists'),
}
"""Functions that parse models or read single resources. Their errors name the missing file, but
cannot include a reason."""

_Failures = list[tuple[str, BaseException]]
_load = threading.local()
"""The attribute `failures` lists the failures of the current load on each thread."""


def shown(uri: str) -> str:
    """Returns a URI for messages, shortened if it is long."""
    return uri if len(uri) <= _LENGTH else f'{uri[: _LENGTH // 2]}... ({len(uri)} characters)'


def reason(uri: str, error: BaseException) -> str:
    """Returns the URI followed by the error's message."""
    text = message_of(error)
    if text.startswith(uri):
        return shown(uri) + text[len(uri) :]
    return f'{shown(uri)}: {text}'


def message_of(error: BaseException) -> str:
    """Returns an error's message; adds the type if the message is not meant for users."""
    text = str(error).strip()
    kind = '' if text and isinstance(error, _EXPECTED) else type(error).__name__
    return ': '.join(filter(None, (kind, text)))


def keep_failure(uri: str, error: BaseException) -> None:
    """Records a failure for the error of the current load; called in provider callbacks.

    Models can also be compiled outside the loaders that `explain_loads` wraps, on any thread. In
    this case the function issues a MuJoCo warning, which MuJoCo's compiler appends to its own
    error.
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
    """Wraps the loaders to include the reasons in their errors."""
    for owner, names in _LOADERS.items():
        for name in names:
            setattr(owner, name, staticmethod(_explained(getattr(owner, name))))


def _explained(load: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(load)
    def explained(*args: Any, **keywords: Any) -> Any:
        # A provider may itself load a model in order to serve a file.
        outer = getattr(_load, 'failures', None)
        failures: _Failures = []
        _load.failures = failures
        try:
            return load(*args, **keywords)
        except ValueError as error:
            _raise(error, failures)
        except OSError:
            if not failures:
                raise
            raise OSError(reason(*failures[-1])) from failures[-1][1]
        finally:
            _load.failures = outer

    return explained


def _raise(error: ValueError, failures: _Failures) -> None:
    """Raises MuJoCo's error with the reasons; an interrupt (Ctrl-C) takes precedence."""
    message = str(error).rstrip()
    # MuJoCo looks for a file in several places, and most failures only report that the file is not
    # in one of these places.
    concerned = [failure for failure in failures if _concerns(message, failure[0])]
    for _, cause in failures:
        if not isinstance(cause, Exception):
            raise cause
    reasons = dict.fromkeys(reason(*failure) for failure in concerned)
    raise ValueError('\n'.join([message, *reasons])) from (concerned[-1][1] if concerned else None)


def _concerns(message: str, uri: str) -> bool:
    """Returns whether MuJoCo's message is about a URI, and not about another file."""
    if "'" not in message:  # the message does not name a file
        return True
    if len(uri) > _LENGTH:  # MuJoCo shortens its message too
        return uri[:_BEGINNING] in message
    return re.split('[/:]', uri)[-1] in message
