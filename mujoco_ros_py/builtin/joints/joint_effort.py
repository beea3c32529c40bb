"""Compiled: the effort that drives a joint, whoever exerts it."""

from __future__ import annotations

from typing import Any

import mujoco

from ...plugins.compiled_code import inlined


@inlined
def joint_effort(data: mujoco.MjData, dof: int) -> Any:
    """Returns the effort on a hinge or slide joint, in N m or N, in the step of the data.

    It is that of the actuators, and what controllers apply to a joint without an actuator.
    """
    return data.qfrc_actuator[dof] + data.qfrc_applied[dof]
