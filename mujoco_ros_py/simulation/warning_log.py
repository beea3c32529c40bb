"""Collects MuJoCo's warnings, and adds the names of numbered objects."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import mujoco
import numpy as np

from .models.object_names import given_name

_O = mujoco.mjtObj
_NUMBERED = re.compile(r'\b(DOF|ACTUATOR|BODY)S? (\d+)', re.IGNORECASE)
UNSTABLE = [
    int(kind)
    for kind in (
        mujoco.mjtWarning.mjWARN_BADQPOS,
        mujoco.mjtWarning.mjWARN_BADQVEL,
        mujoco.mjtWarning.mjWARN_BADQACC,
    )
]
"""The warnings after which MuJoCo resets an unstable simulation."""


def is_unstable(data: mujoco.MjData) -> bool:
    """Returns whether MuJoCo has found the simulation unstable since the last reset."""
    return bool(data.warning.number[UNSTABLE].any())


@dataclass(slots=True)
class WarningLog:
    """The warnings since the model was loaded or reset."""

    counts: dict[str, int] = field(default_factory=dict)
    """The number of warnings of each kind; a kind is the text without its numbers."""
    latest: str = ''

    def add(self, model: mujoco.MjModel, text: str) -> str | None:
        """Counts a warning; returns the message to log if it is the first of its kind."""
        message = _named(model, text)
        kind = re.sub(r'-?\d[\d.e+-]*', '#', text)
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.latest = message
        return message if self.counts[kind] == 1 else None

    def clear(self) -> None:
        """Forgets all warnings. Each kind is logged again."""
        self.counts.clear()
        self.latest = ''

    @property
    def total(self) -> int:
        """The number of warnings of all kinds."""
        return sum(self.counts.values())


def _named(model: mujoco.MjModel, text: str) -> str:
    """Adds the name of each numbered dof, actuator or body to the text."""

    def name(match: re.Match[str]) -> str:
        kind, number = match.group(1).lower(), int(match.group(2))
        if kind == 'dof' and 'QPOS' in text:
            kind = 'qpos'  # MuJoCo says DOF, and gives the index in qpos
        described = _describe(model, kind, number)
        return f'{match.group(0)} ({described})' if described else match.group(0)

    return _NUMBERED.sub(name, text)


def _joint(model: mujoco.MjModel, joint: int) -> str:
    body = int(model.jnt_bodyid[joint])
    return f'joint {given_name(model, _O.mjOBJ_JOINT, joint)!r}, body {_body(model, body)}'


def _body(model: mujoco.MjModel, body: int) -> str:
    return repr(given_name(model, _O.mjOBJ_BODY, body))


def _describe(model: mujoco.MjModel, kind: str, number: int) -> str:
    if kind == 'qpos' and number < model.nq:
        return _joint(model, int(np.searchsorted(model.jnt_qposadr, number, side='right')) - 1)
    if kind == 'dof' and number < model.nv:
        return _joint(model, int(model.dof_jntid[number]))
    if kind == 'actuator' and number < model.nu:
        return f'actuator {given_name(model, _O.mjOBJ_ACTUATOR, number)!r}'
    if kind == 'body' and number < model.nbody:
        return f'body {_body(model, number)}'
    return ''
