"""The emergency stop of the plugins of a load."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco

from ...config import NO_GROUP, Group
from .hosted_plugin import HostedPlugin


def stop_plugins(
    plugins: Sequence[HostedPlugin],
    model: mujoco.MjModel,
    data: mujoco.MjData,
    stopped: bool,
    group: Group,
) -> list[str]:
    """Stops or releases each plugin of a group that overrides `emergency_stop`.

    One may fail over it. Returns the names of the others.
    """
    able = [
        each
        for each in plugins
        if each.ready and each.can_be_stopped and group in (each.config.group, NO_GROUP)
    ]
    for hosted in able:
        hosted.stop(model, data, stopped)
    return [hosted.name for hosted in able if hosted.ready]
