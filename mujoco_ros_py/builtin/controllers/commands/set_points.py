"""The base of plugins that follow the set-points of a topic, and what they do after a reset."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import mujoco
import numpy as np

from ....plugins import MujocoPlugin, Savable, State, compiled
from ..drive.command_report import Count
from ..drive.joint_plugin import JointPlugin
from .old_commands import NEW, expect_old, follow_set_points

Config = TypeVar('Config', bound='SetPointConfig')


@dataclass(frozen=True, kw_only=True)
class SetPointConfig:
    """The part of the configuration that all plugins with set-points have in common."""

    __slots__ = ()  # so that it can be a second base

    ignore_old_commands_after_reset: bool = True
    """Ignore a command that equals the last one before a reset, a reload or a restored state,
    until it changes: its sender may not know of the reset; false: follow it."""


def old_command_fields(count: int, config: SetPointConfig, kinds: int = 1) -> dict[str, Any]:
    """Returns the fields of the record for the last commands of so many joints or controls.

    `kinds` is the number of commands that each of them may have.
    """
    return {
        'ignores_old': config.ignore_old_commands_after_reset,
        'last_commands': np.full((count, kinds), math.nan),
        'old': np.full(count, NEW, np.uint8),
        'old_said': False,
        'old_count': 0,
    }


class SetPointPlugin(MujocoPlugin[Config], Savable):
    """The base of plugins that follow set-points; `load` adds `old_command_fields` to the state.

    Messages that repeat the last command before a reset are ignored. Commands from Python are
    taken after `forget_old`.
    """

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Ignores the last command from now on if it comes again."""
        super().reset(model, data)
        expect_old(self.state)

    def restore(self, saved: Any) -> None:
        """Goes on from a saved state; ignores the last command before if it comes again.

        Without ROS, commands do not repeat by themselves: the state is restored to the bit.
        """
        state = self.state
        last, old, count = state.last_commands.copy(), state.old.copy(), int(state.old_count)
        super().restore(saved)
        if self.ros and not np.isnan(last).all():
            state.last_commands, state.old = last, old
            state.old_count = count  # that of the state would look as if it had not grown
            expect_old(state)

    def forget_old(self) -> None:
        """Has the next command taken, whatever it is; called on the physics thread."""
        self.state.old[:] = NEW

    def old_counts(self) -> Iterator[Count]:
        """Yields how often old commands have come after a reset; any thread may call this."""
        number = int(self.state.old_count)
        yield Count(reason='old', place=0, number=number, sentence=self._repeated)

    def _repeated(self) -> str:
        return (
            'a command equals the last one before the reset, and is ignored until it changes'
            ' (ignore_old_commands_after_reset)'
        )


class JointSetPointPlugin(SetPointPlugin[Config], JointPlugin[Config]):
    """The base of plugins that drive joints by set-points."""

    @staticmethod
    @compiled
    def control_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Drives the joints by the last commands."""
        follow_set_points(state, model, data)
