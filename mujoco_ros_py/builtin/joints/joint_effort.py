"""Compiled: computes the total effort that drives a joint."""

from __future__ import annotations

from typing import Any

import mujoco

from ...plugins.compiled_code import inlined


@inlined
def joint_effort(data: mujoco.MjData, dof: int) -> Any:
    """Returns the effort on a hinge or slide joint in the last step, in N m or N.

    The effort is the sum of the actuators' forces and of the efforts that controllers apply
    directly to joints without an actuator.
    """
    return data.qfrc_actuator[dof] + data.qfrc_applied[dof]
