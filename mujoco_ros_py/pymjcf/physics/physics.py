"""A model that was compiled and its state, with what dm_control's Physics has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any, TypeVar

import mujoco
import numpy as np

from ...mjcf import Physics as _Physics
from ...mjcf.physics.binding import Quantities
from ...mjcf.physics.memory import Memory
from .memory import AllOrNothing
from .named import AxedArrays
from .quantities import Writable, WritableOnDemand
from .rendering import Contexts, new_contexts
from .wrapped import MjData, MjModel

Self = TypeVar('Self', bound='Physics')
_RK4 = mujoco.mjtIntegrator.mjINT_RK4


class Physics(_Physics):
    """Simulates a model. Elements of the model that it is made from can be bound.

    `model` and `data` have the methods of dm_control's. Writes into a binding make everything out
    of date, which is computed when it is asked for through one; steps compute only what MuJoCo
    needs for the next one.
    """

    legacy_step: bool = True
    """Whether positions and velocities are those of the new state after a step."""

    _memory_type = AllOrNothing
    _named_type = AxedArrays
    _quantities = Quantities(Writable, WritableOnDemand)

    def __init__(self, data: Any) -> None:
        """That of an `MjData` of MuJoCo's or of `physics.data`, or of a model."""
        given = getattr(data, 'ptr', data)
        if isinstance(given, mujoco.MjModel):
            super().__init__(given)
        else:
            super().__init__(given.model, given)

    @classmethod
    def from_byte_string(cls: type[Self], byte_string: bytes) -> Self:
        """That of a compiled model, as `physics.model.to_bytes()` gives it."""
        name = 'model.mjb'
        return cls(mujoco.MjModel.from_binary_path(name, {name: byte_string}))

    def _hold(self, memory: Memory) -> None:
        self._contexts: Contexts | None = None
        self._contexts_lock = Lock()
        super()._hold(memory)

    def _look_at(self) -> None:
        super()._look_at()
        self._free_contexts()
        self._model, self._data = MjModel(self._memory.model), MjData(self._memory.data)

    @property
    def model(self) -> Any:
        """The model; `ptr` is MuJoCo's."""
        return self._model

    @property
    def data(self) -> Any:
        """The data; `ptr` is MuJoCo's."""
        return self._data

    # State

    def step(self, nstep: int = 1) -> None:
        """Advances the state from what was computed last, without computing what was written."""
        memory = self._memory
        if not self.legacy_step:
            memory.run(mujoco.mj_step, nstep)
        elif memory.model.opt.integrator == _RK4:
            memory.run(_rk4, nstep)
        else:
            memory.run(_finish_and_begin, nstep)

    def set_control(self, control: Any) -> None:
        """The controls of all actuators, which nothing is computed again for before a step."""
        np.copyto(self._memory.data.ctrl, control)

    def _state_arrays(self) -> list[Any]:
        data = self._memory.data
        plugins = [data.plugin_state] if self._memory.model.nplugin else []
        return [data.qpos, data.qvel, data.act, *plugins]

    @contextmanager
    def check_invalid_state(self) -> Iterator[None]:
        """Raises PhysicsError at the end if MuJoCo warned of the state within."""
        warnings = self._memory.data.warning.number
        before = warnings.copy()
        yield
        self._memory._tell(warnings > before)

    def check_divergence(self) -> None:
        """Has no effect: `step` and `forward` check it."""

    def enable_profiling(self) -> None:
        """MuJoCo measures the time of its parts, in `data.timer`."""
        import time

        mujoco.set_mjcb_time(time.time)

    # Images

    @property
    def contexts(self) -> Contexts:
        """OpenGL, for those who draw with MuJoCo's own functions; opened when first asked for."""
        with self._contexts_lock:
            if self._contexts is None:
                self._contexts = new_contexts(self._memory.model)
            return self._contexts

    def _free_contexts(self) -> None:
        with self._contexts_lock:
            contexts, self._contexts = self._contexts, None
        if contexts is not None:
            contexts.free()

    def free(self) -> None:
        """Gives back what it has of OpenGL."""
        self._free_contexts()
        super().free()

    def render(
        self,
        height: int = 240,
        width: int = 320,
        camera_id: int | str | mujoco.MjvCamera = -1,
        overlays: Sequence[Any] = (),
        depth: bool = False,
        segmentation: bool = False,
        scene_option: mujoco.MjvOption | None = None,
        render_flag_overrides: Mapping[Any, bool] | None = None,
        scene_callback: Any = None,
    ) -> Any:
        """An image, as `mjcf.Physics.render` has it; `overlays` are not drawn."""
        return super().render(
            height, width, camera_id, depth=depth, segmentation=segmentation,
            scene_option=scene_option or _without_rangefinders(),
            render_flag_overrides=render_flag_overrides, scene_callback=scene_callback,
        )  # fmt: skip


def _without_rangefinders() -> mujoco.MjvOption:
    option = mujoco.MjvOption()
    option.flags[mujoco.mjtVisFlag.mjVIS_RANGEFINDER] = False
    return option


def _finish_and_begin(model: mujoco.MjModel, data: mujoco.MjData, count: int) -> None:
    """The second half of a step, whole ones, and the first half of the next."""
    mujoco.mj_step2(model, data)
    if count > 1:
        mujoco.mj_step(model, data, count - 1)
    mujoco.mj_step1(model, data)


def _rk4(model: mujoco.MjModel, data: mujoco.MjData, count: int) -> None:
    mujoco.mj_step(model, data, count)
    mujoco.mj_step1(model, data)
