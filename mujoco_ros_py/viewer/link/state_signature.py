"""The part of the state that the viewer gets."""

from __future__ import annotations

import mujoco

SHOWN_STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION) & ~int(mujoco.mjtState.mjSTATE_PLUGIN)
"""All that MuJoCo's state has but for that of engine plugins, which the viewer does not have."""
