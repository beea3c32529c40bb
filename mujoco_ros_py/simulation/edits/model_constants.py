"""The numbers of a model that follow from others of it."""

from __future__ import annotations

import mujoco

from .given_numbers import unit_quat


def renew_constants(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Computes what follows from masses, inertias, and the bodies of constraints.

    MuJoCo computes it in the reference configuration, in the data that run: `qpos` and the mocap
    poses are as before when this returns, and all else is that of a forward pass which follows.
    """
    kept = data.qpos.copy(), data.mocap_pos.copy(), data.mocap_quat.copy()
    for body in range(model.nbody):
        if (mocap := model.body_mocapid[body]) >= 0:
            data.mocap_pos[mocap] = model.body_pos[body]
            data.mocap_quat[mocap] = unit_quat('body_quat', model.body_quat[body])
    try:
        mujoco.mj_setConst(model, data)
    finally:
        data.qpos[:], data.mocap_pos[:], data.mocap_quat[:] = kept
