"""Faults that a test adds to the timeline of the Imperfections plugin for a while."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from typing import TYPE_CHECKING, Any

from ..config import read_list, register
from ..errors import ConfigError, MujocoRosError

if TYPE_CHECKING:
    from .server_under_test import ServerUnderTest
    from .state import State

TYPE = 'mujoco_ros_py/Imperfections'
_numbers = count()


@contextmanager
def impairing(server: ServerUnderTest, effects: Mapping[str, Any]) -> Iterator[State]:
    """Adds entries to the timeline of a server's Imperfections while the context is active."""
    if server.domain_id is None:
        raise ConfigError('impair needs ROS: start the server with process=True')
    name, added = plugin_in(server.options.plugins), entries_of(effects)
    state = server.command(name, add=added)
    try:
        yield state
    except BaseException:
        with suppress(MujocoRosError):  # the server may have ended
            server.command(name, remove=list(added))
        raise
    server.command(name, remove=list(added))


def plugin_in(plugins: Sequence[Any]) -> str:
    """Returns the name of the Imperfections plugin in a list of plugins.

    Raises ConfigError if the list has no such plugin.
    """
    accepted, _ = register(read_list(list(plugins), 'plugins'))
    for each in accepted:
        if each.type == TYPE:
            return each.name
    raise ConfigError(
        f'impair needs the plugin {TYPE}, after the plugins that it impairs; the plugins are'
        f' {", ".join(each.name for each in accepted) or "none"}'
    )


def entries_of(effects: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Returns a timeline entry for each target; `effects` maps effects to values by target.

    Each entry has a new name. Raises ConfigError if no target is given.
    """
    by_target: dict[str, dict[str, Any]] = {}
    for effect, values in effects.items():
        if not isinstance(values, Mapping):
            raise ConfigError(
                f'impair: {effect} must be a mapping from targets to values, such as'
                f" {{'arm': 0.01}}, got {values!r}"
            )
        for target, value in values.items():
            by_target.setdefault(target, {})[effect] = value
    if not by_target:
        raise ConfigError("impair needs an effect, such as latency={'arm': 0.01}")
    return {
        f'impaired_{next(_numbers)}': {'of': target, **values}
        for target, values in by_target.items()
    }
