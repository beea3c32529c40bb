"""Refuses models that compile but cannot be simulated."""

from __future__ import annotations

import mujoco
import numpy as np

from ...engine_faults import faults_of
from ...errors import ModelError
from .option_limits import COUNTS, NUMBERS, fits, rule_of

_SHORTEST_S, _LONGEST_S = 1e-9, 1000.0
"""The allowed range of timesteps: ROS time counts nanoseconds, and stores seconds in 31 bits."""


def check_options(model: mujoco.MjModel) -> None:
    """Raises ModelError if the timestep or an option of `option_limits` is out of range."""
    timestep = model.opt.timestep
    if not _SHORTEST_S <= timestep <= _LONGEST_S:
        raise ModelError(
            f'option timestep must be at least {_SHORTEST_S:g} and at most {_LONGEST_S:g} s,'
            f' got {timestep:g}'
        )
    for name in (*NUMBERS, *COUNTS):
        numbers = np.atleast_1d(getattr(model.opt, name, []))  # some versions lack an option
        if not all(fits(name, float(number)) for number in numbers):
            came = ' '.join(f'{number:.10g}' for number in numbers)
            raise ModelError(f'option {name} must be {rule_of(name)}, got {came}')


def check_engine(model: mujoco.MjModel, name: str) -> None:
    """Raises ModelError if a known fault of this MuJoCo version affects the model's results.

    `name` is the model's name in the message.
    """
    for fault in faults_of(model):
        raise ModelError(f'{name}: strict is true, and {fault}: {fault.advice}')


def check_start(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Raises ModelError if a position or acceleration is not finite after a forward pass."""
    positions = np.flatnonzero(~np.isfinite(data.qpos))
    accelerations = np.flatnonzero(~np.isfinite(data.qacc))
    if positions.size:
        joint = int(np.searchsorted(model.jnt_qposadr, positions[0], 'right')) - 1
        raise ModelError(f'{_named(model, joint)} has an initial position that is not finite')
    if accelerations.size:
        joint = int(model.dof_jntid[accelerations[0]])
        raise ModelError(f'{_named(model, joint)} has an initial acceleration that is not finite')


def _named(model: mujoco.MjModel, joint: int) -> str:
    return f'joint {model.joint(joint).name or joint}'
