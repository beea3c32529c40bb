"""A compiled model with its state, behind the interface of dm_control's Physics."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any, TypeVar

import mujoco
import numpy as np

from ....errors import PhysicsError
from ... import Element
from ... import Physics as _Physics
from ...physics.binding import Binding, DemandedQuantity, Quantities, Quantity
from ...physics.bound_elements import elements_in, one_kind
from ...physics.fields import Field
from ...physics.memory import Memory
from ...physics.stages import ALIGNED, CURRENT, POSITIONS
from ...physics.stepping import finish_and_begin, step_and_begin
from .axed_arrays import AxedArrays
from .rendering import Contexts, new_contexts
from .wrapped import MjData, MjModel

Self = TypeVar('Self', bound='Physics')
_RK4 = mujoco.mjtIntegrator.mjINT_RK4


class _AllOrNothing(Memory):
    """A memory in which each write outdates all derived values, as in PyMJCF.

    For an invalid state, raises a PhysicsError that `except` clauses for dm_control's PhysicsError
    catch too, if dm_control is imported.
    """

    __slots__ = ('_outdated',)

    @property
    def outdated(self) -> int:
        """The first stage whose results are outdated."""
        return self._outdated

    @outdated.setter
    def outdated(self, stage: int) -> None:
        self._outdated = POSITIONS if stage else CURRENT

    def _tell(self, counts: object) -> None:
        try:
            super()._tell(counts)
        except PhysicsError as error:
            raise _error_type()(*error.args) from None


def _error_type() -> type[PhysicsError]:
    control = sys.modules.get('dm_control.rl.control')
    return PhysicsError if control is None else _of_both(control.PhysicsError)


@cache
def _of_both(theirs: type[Exception]) -> type[PhysicsError]:
    return type('PhysicsError', (PhysicsError, theirs), {'__module__': __name__})


class _Writable(Quantity):
    """An array attribute of bindings that users can write even if MuJoCo computes the array.

    Written values persist until MuJoCo recomputes the array.
    """

    __slots__ = ()

    def __init__(self, field: Field) -> None:
        super().__init__(field)
        if field.of_data:
            self._read_only = False

    def __set__(self, binding: Binding, value: object) -> None:
        memory = binding._memory
        if memory.outdated > self._held_until:
            memory.refresh()
        if self.field.name in ALIGNED and super()._is_fixed(memory, binding._rows_of(self.field)):
            warnings.warn(
                f'{self.field.name}: MuJoCo compiled this body as a simple body, so its inertia'
                ' is wrong after this write; change the element and reload the physics instead',
                stacklevel=2,
            )
        super().__set__(binding, value)

    def _is_fixed(self, memory: Any, rows: object) -> bool:
        return False


class _WritableOnDemand(_Writable, DemandedQuantity):
    """A writable array that each read computes first, because MuJoCo does so only for sensors."""

    __slots__ = ()


class Physics(_Physics):
    """Simulates a model, with access to its arrays by element (bindings).

    `model` and `data` have the methods of dm_control's classes. A write into a binding outdates
    all derived values; they are recomputed when a binding is read. Steps compute only what MuJoCo
    needs for the next step.
    """

    legacy_step: bool = True
    """Whether derived positions and velocities match the new state after a step."""

    _memory_type = _AllOrNothing
    _named_type = AxedArrays
    _quantities = Quantities(_Writable, _WritableOnDemand)

    def __init__(self, data: Any) -> None:
        """Creates a physics from a MuJoCo `MjData`, a `physics.data`, or a model."""
        given = getattr(data, 'ptr', data)
        if isinstance(given, mujoco.MjModel):
            super().__init__(given)
        else:
            super().__init__(given.model, given)

    @classmethod
    def from_byte_string(cls: type[Self], byte_string: bytes) -> Self:
        """Creates a physics from a compiled model saved by `physics.model.to_bytes()`."""
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
        """The model; `ptr` is the MuJoCo object."""
        return self._model

    @property
    def data(self) -> Any:
        """The data; `ptr` is the MuJoCo object."""
        return self._data

    # State

    def step(self, nstep: int = 1) -> None:
        """Steps from the last computed derived values, even if inputs have changed since."""
        memory = self._memory
        if not self.legacy_step:
            memory.run(mujoco.mj_step, nstep)
        elif memory.model.opt.integrator == _RK4:
            memory.run(step_and_begin, nstep)
        else:
            memory.run(finish_and_begin, nstep)

    def set_control(self, control: Any) -> None:
        """Sets the controls of all actuators, without recomputing derived values."""
        np.copyto(self._memory.data.ctrl, control)

    def _state_arrays(self) -> list[Any]:
        data = self._memory.data
        plugins = [data.plugin_state] if self._memory.model.nplugin else []
        return [data.qpos, data.qvel, data.act, *plugins]

    @contextmanager
    def check_invalid_state(self) -> Iterator[None]:
        """Raises PhysicsError on exit if MuJoCo reported an invalid state inside the context."""
        warnings = self._memory.data.warning.number
        before = warnings.copy()
        yield
        self._memory._tell(warnings > before)

    def check_divergence(self) -> None:
        """Does nothing, because `step` and `forward` check the state."""

    def enable_profiling(self) -> None:
        """Makes MuJoCo record the time of each stage in `data.timer`."""
        import time

        mujoco.set_mjcb_time(time.time)

    # Images

    @property
    def contexts(self) -> Contexts:
        """OpenGL contexts for MuJoCo's own drawing functions, created at the first access."""
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
        """Frees the OpenGL resources."""
        self._free_contexts()
        super().free()

    def render(
        self,
        height: int = 240,
        width: int = 320,
        camera_id: int | str | mujoco.MjvCamera = -1,
        overlays: Sequence[object] = (),
        depth: bool = False,
        segmentation: bool = False,
        scene_option: mujoco.MjvOption | None = None,
        render_flag_overrides: Mapping[Any, bool] | None = None,
        scene_callback: Any = None,
    ) -> Any:
        """Renders an image like `mjcf.Physics.render`; `overlays` is ignored."""
        return super().render(
            height, width, camera_id, depth=depth, segmentation=segmentation,
            scene_option=scene_option or _without_rangefinders(),
            render_flag_overrides=render_flag_overrides, scene_callback=scene_callback,
        )  # fmt: skip


def _without_rangefinders() -> mujoco.MjvOption:
    option = mujoco.MjvOption()
    option.flags[mujoco.mjtVisFlag.mjVIS_RANGEFINDER] = False
    return option


def names_from_elements(mjcf_elements: Element | Iterable[Element]) -> tuple[Any, Any]:
    """Returns the kind of the elements and their name or names; (None, None) for an empty list.

    Raises ValueError if the elements cannot be bound together.
    """
    if isinstance(mjcf_elements, Element):
        return one_kind([mjcf_elements]), mjcf_elements.full_identifier
    elements = elements_in(mjcf_elements)
    if not elements:
        return None, None
    return one_kind(elements), [element.full_identifier for element in elements]
