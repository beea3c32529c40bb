"""Models made by a Python function: `python://module:function?name=value&name=value`."""

from __future__ import annotations

import inspect
import logging
import re
from collections.abc import Callable, Sequence
from functools import partial
from types import ModuleType
from typing import Any
from urllib.parse import parse_qsl

from ...config.wording import unknown
from ...config.yaml_text import load_yaml
from ...engine.resources import local_path, provides, shown
from ...errors import ConfigError, ModelError
from ...user_modules import explained, import_user_module
from .compilation import ModelSource

_SCHEME = 'python:'
_NAME = r'[^\W\d]\w*'
_URI = re.compile(
    rf'python://(?P<module>{_NAME}(\.{_NAME})*):(?P<function>{_NAME})(\?(?P<query>.*))?', re.DOTALL
)
_FORM = 'python://<module>:<function>?<name>=<value>&<name>=<value>'
_log = logging.getLogger(__name__)


def source_at(place: str, modules: Sequence[str]) -> ModelSource:
    """Returns the source for a path, a URI or the URI of a function.

    See `compose` for `modules`. Raises ConfigError and ModelError.
    """
    if is_factory(place):
        return compose(place, modules)
    return ModelSource(path=place if provides(place) else str(local_path(place)))


def is_factory(path: str) -> bool:
    """Returns whether the path is the URI of a function that makes the model."""
    return path.startswith(_SCHEME)


def compose(uri: str, modules: Sequence[str]) -> ModelSource:
    """Calls the function on the calling thread; returns the model as XML with its files.

    The function must be in one of `modules`, or in a module of one of these packages. Raises
    ModelError. Exceptions of the function are logged with a traceback.
    """
    found, where = _URI.fullmatch(uri), shown(uri)
    if found is None:
        raise ModelError(f'{where}: must be {_FORM}')
    module, name = found['module'], found['function']
    _check_allowed(where, module, modules)
    arguments = _arguments(where, found['query'] or '')
    guarded = partial(_guarded, where, module)
    imported = guarded(f'cannot import {module}:', lambda: import_user_module(module))
    factory = _factory(where, imported, name, modules)
    _check_arguments(where, name, factory, arguments)
    made = guarded(f'{name} raised', lambda: factory(**arguments))
    _check_made(where, name, made)
    text, assets = guarded(
        f'the model of {name} cannot be written:',
        lambda: (made.to_xml_string(), made.get_assets()),
    )
    return ModelSource(xml=text, assets=assets, origin=uri)


def _check_allowed(where: str, module: object, modules: Sequence[str]) -> None:
    if not _is_allowed(module, modules):
        known = ', '.join(modules) or 'none'
        raise ModelError(f'{where}: module {module!r} is not among model_modules: {known}')


def _is_allowed(module: object, modules: Sequence[str]) -> bool:
    return any(f'{module}.'.startswith(f'{each}.') for each in modules)


def _arguments(where: str, query: str) -> dict[str, Any]:
    """Reads the arguments from a URI. Values are YAML, as on the ROS command line."""
    arguments: dict[str, Any] = {}
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True) if query else []
        for name, value in pairs:
            if name in arguments or not value:
                rule = 'has no value' if not value else 'is given more than once'
                raise ModelError(f'{where}: {name} {rule}')
            arguments[name] = load_yaml(value, f'{where}: {name}')
    except ConfigError as error:
        raise ModelError(str(error)) from error
    except ValueError as error:
        raise ModelError(f'{where}: must be {_FORM}: {error}') from None
    return arguments


def _factory(where: str, module: ModuleType, name: str, modules: Sequence[str]) -> Any:
    """Returns the function with this name. Refuses functions imported from other modules."""
    found = vars(module).get(name)
    if found is None or name.startswith('_'):
        known = [key for key, value in vars(module).items() if _is_factory(key, value, modules)]
        raise ModelError(f'{where}: {module.__name__} has {unknown("function", name, known)}')
    if not callable(found):
        raise ModelError(f'{where}: {name} must be a function, got {type(found).__name__}')
    _check_allowed(f'{where}: {name} is imported', _home(found), modules)
    return found


def _is_factory(name: str, value: Any, modules: Sequence[str]) -> bool:
    return callable(value) and _is_allowed(_home(value), modules) and not name.startswith('_')


def _home(function: Any) -> Any:
    """Returns the name of the module that defines the function."""
    return getattr(function, '__module__', None)


def _check_arguments(where: str, name: str, factory: Any, arguments: dict[str, Any]) -> None:
    takes: object = ''
    try:
        takes = inspect.signature(factory)
        takes.bind(**arguments)
    except (TypeError, ValueError) as error:
        raise ModelError(f'{where}: {name}{takes}: {error}') from None


def _check_made(where: str, name: str, made: Any) -> None:
    # Imported only when needed; by then, the function has imported it anyway.
    from ...mjcf import RootElement

    if not isinstance(made, RootElement):
        came = type(made).__name__
        raise ModelError(f'{where}: {name} must return mjcf.RootElement, returned {came}')


def _guarded(where: str, module: str, what: str, call: Callable[[], Any]) -> Any:
    """Returns the result of `call`; converts all exceptions to ModelError."""
    try:
        return call()
    except BaseException as error:  # user code may also raise SystemExit
        message = f'{where}: {what} {explained(error, module)}'
        _log.error('%s', message, exc_info=error)
        raise ModelError(message) from error
