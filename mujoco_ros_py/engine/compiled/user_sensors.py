"""Compiled: preserves the values of user sensors, which a forward pass clears.

MuJoCo does not compute these values: plugins write them into `sensordata`. If `mjcb_sensor` is
set, it computes them in each pass instead.
"""

from __future__ import annotations

import mujoco
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ..foreign.numba.numba_objects import Context, Signature, Typed, Typing, Values
from . import mujoco_functions as _functions  # noqa: F401  (makes mujoco.mju_copy callable)
from .addresses import array_at
from .own_functions import own_function

_I64 = ir.IntType(64)
_USER = int(mujoco.mjtSensor.mjSENS_USER)
FIRST, LAST = int(mujoco.mjtStage.mjSTAGE_POS), int(mujoco.mjtStage.mjSTAGE_ACC)
"""The first and the last stage of a pass; control callbacks run before the last stage."""


@intrinsic
def _sensor_callback(typing: Typing) -> Typed:
    """Returns the address of `mjcb_sensor`; 0 if it is not set."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        return builder.load(context.get_c_value(builder, _I64, 'mjcb_sensor'))

    return types.int64(), emit


@own_function()
def keep_sensors(model: mujoco.MjModel, data: mujoco.MjData, memory: int) -> None:
    """Copies `sensordata` to the address `memory`; call this before a pass."""
    kept = array_at(memory, model.nsensordata, np.float64)
    mujoco.mju_copy(kept, data.sensordata, model.nsensordata)


@own_function()
def give_back_user_sensors(
    model: mujoco.MjModel, data: mujoco.MjData, memory: int, stage: int
) -> None:
    """Restores the user sensors of `stage` and later stages after a pass has cleared them."""
    # `mjcb_sensor` has computed the sensors in the pass, and the copied values are outdated.
    if _sensor_callback() != 0:
        return
    kept = array_at(memory, model.nsensordata, np.float64)
    for sensor in range(model.nsensor):
        if model.sensor_type[sensor] == _USER and model.sensor_needstage[sensor] >= stage:
            start = model.sensor_adr[sensor]
            for k in range(start, start + model.sensor_dim[sensor]):
                data.sensordata[k] = kept[k]
