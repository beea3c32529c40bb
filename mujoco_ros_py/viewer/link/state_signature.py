"""The part of the state that is sent to the viewer."""

from __future__ import annotations

import mujoco

SHOWN_STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION) & ~int(mujoco.mjtState.mjSTATE_PLUGIN)
"""MuJoCo's integration state without engine plugins, which the viewer process does not load."""
