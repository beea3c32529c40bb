"""Base classes of plugins that follow set-points, and ignore old set-points after a reset."""

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
    """The common part of the configuration of all plugins with set-points."""

    __slots__ = ()  # allows a dataclass with slots to derive from this class and from another

    ignore_old_commands_after_reset: bool = True
    """After a reset, a reload or a restored state, ignore repetitions of the last command until a
    different command arrives: the sender may not have noticed the reset; false: follow them."""


def old_command_fields(count: int, config: SetPointConfig, kinds: int = 1) -> dict[str, Any]:
    """Returns the record fields for the last commands of `count` joints or controls.

    `kinds` is the number of kinds of commands for each joint or control.
    """
    return {
        'ignores_old': config.ignore_old_commands_after_reset,
        'last_commands': np.full((count, kinds), math.nan),
        'old': np.full(count, NEW, np.uint8),
        'old_said': False,
        'old_count': 0,
    }


class SetPointPlugin(MujocoPlugin[Config], Savable):
    """The base class of plugins that follow set-points.

    The `load` of a subclass must add `old_command_fields` to the state. After a reset, messages
    that repeat the last command are ignored. Call `forget_old` before a command from Python, so it
    is not ignored.
    """

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Resets the plugin; messages that repeat the last command are then ignored."""
        super().reset(model, data)
        expect_old(self.state)

    def restore(self, saved: Any) -> None:
        """Restores a saved state; messages that repeat the last command are then ignored.

        Without ROS, no sender repeats commands, so the whole saved state is restored unchanged.
        """
        state = self.state
        last, old, count = state.last_commands.copy(), state.old.copy(), int(state.old_count)
        super().restore(saved)
        if self.ros and not np.isnan(last).all():
            state.last_commands, state.old = last, old
            state.old_count = count  # with the saved count, the log would miss the next increment
            expect_old(state)

    def forget_old(self) -> None:
        """Accepts the next command even if it is a repetition; call on the physics thread."""
        self.state.old[:] = NEW

    def old_counts(self) -> Iterator[Count]:
        """Yields the counter of ignored old commands; any thread can call this."""
        number = int(self.state.old_count)
        yield Count(reason='old', place=0, number=number, sentence=self._repeated)

    def _repeated(self) -> str:
        return (
            'a command equals the last command before the reset, and is ignored until it changes'
            ' (ignore_old_commands_after_reset)'
        )


class JointSetPointPlugin(SetPointPlugin[Config], JointPlugin[Config]):
    """The base class of plugins that drive joints by set-points."""

    @staticmethod
    @compiled
    def control_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Drives the joints by the last commands."""
        follow_set_points(state, model, data)
