"""Message, service and action types by name, including types whose packages are not installed."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any, NoReturn

from ..engine.messages import StandIn, package_of, stand_in
from ..errors import PluginError
from .missing_messages import missing_messages

_NAME = re.compile(r'(\w+)/(msg|srv|action)/(\w+)')


class MissingType:
    """Placeholder for a type whose package is not installed; only the name of the type is known.

    Instances are falsy. `Ros` accepts them as types, but neither sends nor receives their
    messages.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        """The full name, such as `control_msgs/action/FollowJointTrajectory`."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return self.name

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        """Raises PluginError: without the package, no message of this type can be created."""
        raise PluginError(missing_messages(_package(self.name), f'there is no {self.name}'))


def ros_type(name: str) -> Any:
    """Returns a message, service or action class by its name, such as `sensor_msgs/msg/Imu`.

    For each message type that the shipped plugins publish, a stand-in with the same fields
    replaces the class if its package is not installed. Publishers and their `read` accept the
    stand-in, but cannot send it. For any other missing type the result is false, and calling it
    raises PluginError.

    Raises PluginError if `name` does not have the form of a type name.
    """
    found = _NAME.fullmatch(name)
    if found is None:
        raise PluginError(f'a type name must look like sensor_msgs/msg/Imu, got {name!r}')
    package, folder, title = found.groups()
    try:
        return getattr(import_module(f'{package}.{folder}'), title)
    except (ImportError, AttributeError):
        known = stand_in(f'{package}/{title}') if folder == 'msg' else None
        return known or MissingType(name)


def missing_package(kind: Any) -> str:
    """Returns the package needed to send this type; empty if the package is installed."""
    if isinstance(kind, MissingType):
        return _package(kind.name)
    return package_of(kind) if isinstance(kind, type) and issubclass(kind, StandIn) else ''


def _package(name: str) -> str:
    return name.partition('/')[0]
