"""Tells which plugins stay as they are while others are loaded anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..contract import AnyPlugin
from ..mixins import Adaptable
from .hosted_plugin import HostedPlugin


def staying(
    before: Sequence[HostedPlugin], wanted: Sequence[HostedPlugin], *, live: bool
) -> dict[str, HostedPlugin]:
    """Returns the old plugins that are configured as the wanted ones and can go on, by name.

    With `live`, those may go on too whose live values were changed since they were made.
    """
    there = {hosted.name: hosted for hosted in before}
    return {
        new.name: there[new.name]
        for new in wanted
        if new.name in there and _stays(there[new.name], new, live)
    }


def _stays(old: HostedPlugin, new: HostedPlugin, live: bool) -> bool:
    """Returns whether the old plugin is what the new configuration asks for, and can go on."""
    before, after = old.plugin, new.plugin
    return (
        old.ready
        and before is not None
        and after is not None
        and type(before) is type(after)
        and _adapts(type(before))
        and (before.config == after.config or (live and old.given == after.config))
        and old.config.group == new.config.group
    )


def _adapts(kind: type[AnyPlugin]) -> bool:
    """Returns whether a class can go on with another model.

    A class that overrides `load` without `adapt` may find more in the model than its base knows.
    """
    if not issubclass(kind, Adaptable) or kind.adapt is Adaptable.adapt:
        return False
    owners = {name: _place(kind, name) for name in ('adapt', 'load')}
    return owners['adapt'] <= owners['load']


def _place(kind: type[Any], name: str) -> int:
    """Returns how far up the bases the class is that defines a method."""
    return next(k for k, base in enumerate(kind.__mro__) if name in vars(base))
