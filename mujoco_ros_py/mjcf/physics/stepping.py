"""The state of a model, and its steps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from operator import index
from typing import Any, TypeVar

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...mujoco_internals import begin_histories
from .memory import Memory
from .stages import CURRENT, FORCES, POSITIONS

Self = TypeVar('Self', bound='Stepping')
Array = NDArray[np.float64]
_RK4 = mujoco.mjtIntegrator.mjINT_RK4
_MORE_STATE = 'plugin_state', 'history', 'plastic'
"""Further parts of the state; only some models have them."""


class Stepping:
    """The methods of a physics that need only its model and data."""

    _memory: Memory

    @property
    def model(self) -> mujoco.MjModel:
        """MuJoCo's mjModel."""
        return self._memory.model

    @property
    def data(self) -> mujoco.MjData:
        """MuJoCo's mjData."""
        return self._memory.data

    @property
    def is_dirty(self) -> bool:
        """Whether derived values are outdated."""
        return self._memory.outdated > CURRENT

    def mark_as_dirty(self) -> None:
        """Marks all derived values as outdated; bindings then recompute them on demand."""
        self._memory.outdated = POSITIONS

    def forward(self) -> None:
        """Computes all derived values from the state, without advancing time."""
        self._memory.outdated = POSITIONS
        self._memory.refresh()

    def step(self, nstep: int = 1) -> None:
        """Advances the state by `nstep` steps.

        Afterwards, positions, velocities and values derived from them belong to the new state.
        Accelerations, forces and their sensors belong to the last step.
        """
        if nstep < 1:
            raise ValueError(f'nstep must be at least 1, got {nstep}')
        memory = self._memory
        if memory.model.opt.integrator == _RK4:
            memory.run(step_and_begin, nstep)
        else:
            if memory.outdated > FORCES:
                memory.run(mujoco.mj_step1)
            memory.run(finish_and_begin, nstep)
        memory.outdated = CURRENT
        memory.lags = True

    def set_constants(self) -> None:
        """Recomputes the constants that MuJoCo derives from the model at compilation.

        Call this after writing masses, inertias, initial positions, lengths or gears.
        """
        everything = mujoco.mjtState.mjSTATE_INTEGRATION
        state = self.get_state(everything)
        mujoco.mj_setConst(self._memory.model, self._memory.data)
        self.set_state(state, everything)

    def reset(self, keyframe_id: int | str | None = None) -> None:
        """Resets to the initial state, or to a keyframe.

        Raises ValueError for an unknown keyframe.
        """
        model, data = self._memory.model, self._memory.data
        if keyframe_id is None:
            mujoco.mj_resetData(model, data)
        else:
            mujoco.mj_resetDataKeyframe(model, data, self._keyframe(keyframe_id))
            begin_histories(model, data)
        self.after_reset()

    def _keyframe(self, key: int | str) -> int:
        names = self._memory.layout.names('key')
        if isinstance(key, str):
            if key not in names:
                raise ValueError(f'unknown keyframe {key!r}; known: {", ".join(names) or "none"}')
            return names.index(key)
        number = index(key)
        if not 0 <= number < len(names):
            known = f'in 0..{len(names) - 1}' if names else 'None (the model has no keyframes)'
            raise ValueError(f'keyframe_id must be {known}, got {key}')
        return number

    def after_reset(self) -> None:
        """Computes derived values after a reset, without actuators: they have no controls yet."""
        option = self._memory.model.opt
        flags = option.disableflags
        option.disableflags |= mujoco.mjtDisableBit.mjDSBL_ACTUATION
        try:
            self.forward()
        finally:
            option.disableflags = flags

    @contextmanager
    def reset_context(self: Self) -> Iterator[Self]:
        """Resets; on exit, recomputes the derived values of the state set inside the context."""
        with self.suppress_physics_errors():
            self.reset()
        yield self
        self.after_reset()

    @contextmanager
    def suppress_physics_errors(self) -> Iterator[None]:
        """Logs physics errors inside the context instead of raising PhysicsError."""
        before, self._memory.raises = self._memory.raises, False
        try:
            yield
        finally:
            self._memory.raises = before

    def time(self) -> float:
        """Returns the simulated time in seconds."""
        return self._memory.data.time  # type: ignore[no-any-return]

    def timestep(self) -> float:
        """Returns the duration of one step in seconds."""
        return self._memory.model.opt.timestep  # type: ignore[no-any-return]

    def control(self) -> Array:
        """Returns a copy of the controls, shape (nu,)."""
        return self._memory.data.ctrl.copy()  # type: ignore[no-any-return]

    def set_control(self, control: Any) -> None:
        """Sets the controls of all actuators, shape (nu,)."""
        np.copyto(self._memory.data.ctrl, control)
        self._memory.outdated = max(self._memory.outdated, FORCES)

    def activation(self) -> Array:
        """Returns a copy of the actuator activations, shape (na,)."""
        return self._memory.data.act.copy()  # type: ignore[no-any-return]

    def position(self) -> Array:
        """Returns a copy of the positions `qpos`, shape (nq,)."""
        return self._memory.data.qpos.copy()  # type: ignore[no-any-return]

    def velocity(self) -> Array:
        """Returns a copy of the velocities `qvel`, shape (nv,)."""
        return self._memory.data.qvel.copy()  # type: ignore[no-any-return]

    def state(self) -> Array:
        """Returns the state as one array, like `get_state()` without an argument."""
        return self.get_state()

    def get_state(self, sig: int | None = None) -> Array:
        """Returns the state as one array: positions, velocities, activations and others.

        With `sig`, returns the array of `mj_getState` for this mjtState signature.
        """
        if sig is None:
            return np.concatenate(self._state_arrays())
        state = np.empty(mujoco.mj_stateSize(self._memory.model, sig))
        mujoco.mj_getState(self._memory.model, self._memory.data, state, sig)
        return state

    def set_state(self, physics_state: ArrayLike, sig: int | None = None) -> None:
        """Sets a state from `get_state`. Raises ValueError for an array of the wrong size."""
        state = np.asarray(physics_state, np.float64)
        arrays = self._state_arrays()
        sizes = [len(array) for array in arrays]
        size = sum(sizes) if sig is None else mujoco.mj_stateSize(self._memory.model, sig)
        if state.shape != (size,):
            raise ValueError(f'state must have shape ({size},), got {state.shape}')
        if sig is None:
            parts = np.split(state, np.cumsum(sizes)[:-1])
            for array, part in zip(arrays, parts, strict=True):
                array[:] = part
        else:
            mujoco.mj_setState(self._memory.model, self._memory.data, state, sig)
        self.mark_as_dirty()

    def _state_arrays(self) -> list[Array]:
        data = self._memory.data
        more = [getattr(data, name) for name in _MORE_STATE if hasattr(data, name)]
        return [data.qpos, data.qvel, data.act, *(array for array in more if array.size)]


def finish_and_begin(model: mujoco.MjModel, data: mujoco.MjData, count: int) -> None:
    """Completes a begun step, runs the other `count` - 1 steps, and begins the next step."""
    mujoco.mj_step2(model, data)
    if count > 1:
        mujoco.mj_step(model, data, count - 1)
    mujoco.mj_step1(model, data)


def step_and_begin(model: mujoco.MjModel, data: mujoco.MjData, count: int) -> None:
    """Runs `count` whole steps, which RK4 needs, and begins the next step."""
    mujoco.mj_step(model, data, count)
    mujoco.mj_step1(model, data)
