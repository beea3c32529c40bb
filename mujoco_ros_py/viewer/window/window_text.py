"""What stands in the window over the picture."""

from __future__ import annotations

from typing import Any

import mujoco

from ..link.server_link import ServerLink

Text = tuple[int, int, str, str]
"""Size of letters, place, and two columns of lines, as the viewer of MuJoCo takes them."""


def overlay(title: str, link: ServerLink) -> list[Text]:
    """Returns the status of the simulation, failed plugins, and the last answers."""
    status = link.status
    rows = [(title, ''), ('time', f'{status["time"]:.3f} s'), ('speed', _speed(status))]
    rows += [
        (f'plugin {each["name"]}', f'{each["state"]}: {each["reason"]}')
        for each in status['plugins']
        if each['reason']
    ]
    rows += [('', text) for text in (*status['answers'], *link.notes[-1:])]
    names, values = ('\n'.join(column) for column in zip(*rows, strict=True))
    font, place = mujoco.mjtFontScale.mjFONTSCALE_100, mujoco.mjtGridPos.mjGRID_TOPLEFT
    return [(int(font), int(place), names, values)]


def _speed(status: dict[str, Any]) -> str:
    if status['paused']:
        return 'paused'
    asked = 'unthrottled' if status['realtime'] < 0 else f'set {status["realtime"]:g}'
    return f'{status["factor"]:.2f} ({asked})'
