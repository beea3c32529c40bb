"""The state of a model, and its steps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from operator import index
from typing import Any, TypeVar

import mujoco
import numpy as np

from .memory import Memory
from .stages import CURRENT, FORCES, POSITIONS

Self = TypeVar('Self', bound='Stepping')
Array = np.ndarray[Any, np.dtype[np.float64]]
_RK4 = mujoco.mjtIntegrator.mjINT_RK4
_MORE_STATE = 'plugin_state', 'history', 'plastic'
"""What belongs to the state in models that have it."""


class Stepping:
    """What can be done with a model and its data, apart from their elements."""

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
        """Whether something that depends on others has to be computed again."""
        return self._memory.outdated > CURRENT

    def mark_as_dirty(self) -> None:
        """Has everything computed again when it is asked for through a binding."""
        self._memory.outdated = POSITIONS

    def forward(self) -> None:
        """Computes everything that depends on the state, without advancing it."""
        self._memory.outdated = POSITIONS
        self._memory.refresh()

    def step(self, nstep: int = 1) -> None:
        """Advances the state. What depends on positions and velocities is that of the new state.

        Accelerations, forces and the sensors of these are those of the step that was done.
        """
        if nstep < 1:
            raise ValueError(f'nstep must be at least 1, got {nstep}')
        memory = self._memory
        if memory.model.opt.integrator == _RK4:
            memory.run(_rk4, nstep)
        else:
            if memory.outdated > FORCES:
                memory.run(mujoco.mj_step1)
            memory.run(_step, nstep)
        memory.outdated = CURRENT
        memory.lags = True

    def set_constants(self) -> None:
        """Computes what MuJoCo derives from the model once, when it compiles it.

        Needed after writes of masses and inertias, initial positions and lengths, gears.
        """
        everything = mujoco.mjtState.mjSTATE_INTEGRATION
        state = self.get_state(everything)
        mujoco.mj_setConst(self._memory.model, self._memory.data)
        self.set_state(state, everything)

    def reset(self, keyframe_id: int | str | None = None) -> None:
        """The initial state, or that of a keyframe. Raises ValueError if there is no such one."""
        model, data = self._memory.model, self._memory.data
        if keyframe_id is None:
            mujoco.mj_resetData(model, data)
        else:
            mujoco.mj_resetDataKeyframe(model, data, self._keyframe(keyframe_id))
        self.after_reset()

    def _keyframe(self, key: int | str) -> int:
        names = self._memory.layout.names('key')
        if isinstance(key, str):
            if key not in names:
                raise ValueError(f'no keyframe {key!r}; known: {", ".join(names) or "none"}')
            return names.index(key)
        number = index(key)
        if not 0 <= number < len(names):
            known = f'in 0..{len(names) - 1}' if names else 'None: the model has no keyframe'
            raise ValueError(f'keyframe_id must be {known}, got {key}')
        return number

    def after_reset(self) -> None:
        """Computes what depends on the state; actuators, which have no controls yet, are off."""
        option = self._memory.model.opt
        flags = option.disableflags
        option.disableflags |= mujoco.mjtDisableBit.mjDSBL_ACTUATION
        try:
            self.forward()
        finally:
            option.disableflags = flags

    @contextmanager
    def reset_context(self: Self) -> Iterator[Self]:
        """Resets; what depends on the state that is set within is computed at the end."""
        with self.suppress_physics_errors():
            self.reset()
        yield self
        self.after_reset()

    @contextmanager
    def suppress_physics_errors(self) -> Iterator[None]:
        """Within it, what would raise PhysicsError is logged."""
        before, self._memory.raises = self._memory.raises, False
        try:
            yield
        finally:
            self._memory.raises = before

    def time(self) -> float:
        """The simulated time in seconds."""
        return self._memory.data.time  # type: ignore[no-any-return]

    def timestep(self) -> float:
        """The duration of one step in seconds."""
        return self._memory.model.opt.timestep  # type: ignore[no-any-return]

    def control(self) -> Array:
        """A copy of the controls."""
        return self._memory.data.ctrl.copy()  # type: ignore[no-any-return]

    def set_control(self, control: Any) -> None:
        """Sets the controls of all actuators."""
        np.copyto(self._memory.data.ctrl, control)
        self._memory.outdated = max(self._memory.outdated, FORCES)

    def activation(self) -> Array:
        """A copy of the actuators' own state."""
        return self._memory.data.act.copy()  # type: ignore[no-any-return]

    def position(self) -> Array:
        """A copy of qpos."""
        return self._memory.data.qpos.copy()  # type: ignore[no-any-return]

    def velocity(self) -> Array:
        """A copy of qvel."""
        return self._memory.data.qvel.copy()  # type: ignore[no-any-return]

    def state(self) -> Array:
        """Positions, velocities and activations in one array, as `get_state()` has them."""
        return self.get_state()

    def get_state(self, sig: int | None = None) -> Array:
        """Positions, velocities and activations in one array; with `sig` as `mj_getState`."""
        if sig is None:
            return np.concatenate(self._state_arrays())
        state = np.empty(mujoco.mj_stateSize(self._memory.model, sig))
        mujoco.mj_getState(self._memory.model, self._memory.data, state, sig)
        return state

    def set_state(self, physics_state: Any, sig: int | None = None) -> None:
        """Sets what `get_state` gave. Raises ValueError for an array of another size."""
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


def _step(model: mujoco.MjModel, data: mujoco.MjData, count: int) -> None:
    """Steps of which the first has its first half already, and the first half of the next."""
    mujoco.mj_step2(model, data)
    if count > 1:
        mujoco.mj_step(model, data, count - 1)
    mujoco.mj_step1(model, data)


def _rk4(model: mujoco.MjModel, data: mujoco.MjData, count: int) -> None:
    mujoco.mj_step(model, data, count)
    mujoco.mj_step1(model, data)
