"""The types of messages, services and actions, also where their packages are not installed."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any, NoReturn

from ..errors import PluginError
from ..messages import StandIn, package_of, stand_in
from .missing_messages import missing_messages

_NAME = re.compile(r'(\w+)/(msg|srv|action)/(\w+)')


class MissingType:
    """A type whose package is not installed, and of which nothing is known but the name.

    It is false. `Ros` takes it, and does without what would have this type.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        """The full name, such as `control_msgs/action/FollowJointTrajectory`."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return self.name

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        """Raises PluginError: there can be no message of it."""
        raise PluginError(missing_messages(_package(self.name), f'there is no {self.name}'))


def ros_type(name: str) -> Any:
    """Returns the class of a type by its name, such as `sensor_msgs/msg/Imu`.

    If its package is not installed, a type of the same fields stands in, which publishers and
    their `read` take, but which cannot be sent. There is one for each message that the plugins of
    this package publish. For any other type the result is false, and calling it raises
    PluginError. Raises PluginError for a name that is no name of a type.
    """
    found = _NAME.fullmatch(name)
    if found is None:
        raise PluginError(f'a type must be named as sensor_msgs/msg/Imu is, got {name!r}')
    package, folder, title = found.groups()
    try:
        return getattr(import_module(f'{package}.{folder}'), title)
    except (ImportError, AttributeError):
        known = stand_in(f'{package}/{title}') if folder == 'msg' else None
        return known or MissingType(name)


def missing_package(kind: Any) -> str:
    """Returns the package that a type would need to be sent; empty if it is there."""
    if isinstance(kind, MissingType):
        return _package(kind.name)
    return package_of(kind) if isinstance(kind, type) and issubclass(kind, StandIn) else ''


def _package(name: str) -> str:
    return name.partition('/')[0]
