"""Claims of joints and actuators: at most one plugin drives each joint and each actuator."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ....config import listed
from ....errors import PluginError
from ....plugins import MujocoPlugin


@dataclass(frozen=True, kw_only=True, slots=True)
class Claims:
    """The names of the joints and actuators that a plugin drives (`plugin.claims`)."""

    joints: frozenset[str] = frozenset()
    actuators: frozenset[str] = frozenset()
    moved: frozenset[str] = frozenset()
    """The joints that the actuators move indirectly, for example through a tendon. Several plugins
    can move the same joint, unless a plugin has claimed the joint itself."""


def check_free(plugin: MujocoPlugin[Any], claims: Claims) -> None:
    """Raises PluginError if another ready plugin has claimed a joint or actuator in `claims`.

    The error names the other plugin.
    """
    for owner in list(plugin.environment.plugins.values()):  # copy: failing plugins are removed
        theirs = getattr(owner, 'claims', None)
        if owner is plugin or not isinstance(theirs, Claims):
            continue
        _refuse('joint', claims.joints & theirs.joints, owner)
        _refuse('joint', claims.moved & theirs.joints, owner)
        _refuse('joint', claims.joints & theirs.moved, owner)
        _refuse('actuator', claims.actuators & theirs.actuators, owner)


def _refuse(what: str, taken: Iterable[str], owner: MujocoPlugin[Any]) -> None:
    names = sorted(taken)
    if names:
        several = 's' if names[1:] else ''
        verb = 'belong' if several else 'belongs'
        raise PluginError(
            f'{what}{several} {listed(names)} {verb} to {owner.name} ({type(owner).__name__})'
        )
