"""A compiled model with its state, with access to its arrays by element."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar
from weakref import WeakSet

import mujoco

from ...mujoco_resources import provides, serve_names_in
from ..compose.root import RootElement
from ..tree.element import Element
from .binding import Binding, EmptyBinding, Quantities, binding_type
from .bound_elements import elements_in, one_kind
from .compiled_names import compile_model
from .images import Images
from .memory import Memory, Names
from .named import NamedArrays
from .pickling import Saved, restore, save
from .stages import POSITIONS
from .stepping import Stepping

Self = TypeVar('Self', bound='Physics')


class Named(NamedTuple):
    """The arrays of the model and of the data, indexed by element names."""

    model: NamedArrays
    data: NamedArrays


class Physics(Stepping):
    """Simulates a model, with access to its arrays by element (bindings).

    `model` and `data` are MuJoCo's own objects. After writing to them directly, call `forward()`
    or `mark_as_dirty()`. If `data` is passed, its state is kept and all other values are computed
    from it. Methods raise PhysicsError if MuJoCo warns that the state is invalid.
    """

    _memory_type: ClassVar[type[Memory]] = Memory
    _named_type: ClassVar[type[NamedArrays]] = NamedArrays
    _quantities: ClassVar[Quantities] = Quantities()

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData | None = None) -> None:
        if data is not None and data.model is not model:
            raise ValueError('data must belong to the model passed with it')
        self._hold(self._memory_type(model, mujoco.MjData(model) if data is None else data))
        self._begin(self.after_reset if data is None else self.forward)

    def _hold(self, memory: Memory) -> None:
        self._memory = memory
        self._bindings: dict[Any, Binding] = {}
        self._following: WeakSet[Binding] = WeakSet()
        """The bindings that can still be in use."""
        self._look_at()

    def _look_at(self) -> None:
        """Creates the objects that depend on the memory's current arrays."""
        memory = self._memory
        self._images = Images(memory.model)
        self._named = Named(
            *(self._named_type(struct, memory) for struct in ('mjModel', 'mjData'))
        )

    def _begin(self, compute: Callable[[], None]) -> None:
        with self.suppress_physics_errors():
            compute()

    # Creation

    @classmethod
    def from_mjcf_model(cls: type[Self], mjcf_model: RootElement) -> Self:
        """Creates the physics of a model and its attached models, but not of its hosts.

        Raises MjcfError if the model does not compile.
        """
        model, names = compile_model(mjcf_model)
        physics = cls(model)
        physics._memory.names = names
        return physics

    @classmethod
    def from_model(cls: type[Self], model: mujoco.MjModel) -> Self:
        """Creates the physics of a compiled model. Elements are bound by their current names."""
        return cls(model)

    @classmethod
    def from_xml_string(
        cls: type[Self], xml_string: str, assets: Mapping[str, bytes] | None = None
    ) -> Self:
        """Creates the physics of an MJCF text; `assets` maps file names to contents."""
        serve_names_in(xml_string)
        return cls(mujoco.MjModel.from_xml_string(xml_string, dict(assets or {})))

    @classmethod
    def from_xml_path(cls: type[Self], file_path: str | PathLike[str]) -> Self:
        """Creates the physics of an MJCF file."""
        path = fspath(file_path)
        if not provides(path) and Path(path).is_file():
            serve_names_in(Path(path).read_text(errors='replace'))
        return cls(mujoco.MjModel.from_xml_path(path))

    @classmethod
    def from_binary_path(cls: type[Self], file_path: str | PathLike[str]) -> Self:
        """Creates the physics of a compiled model file (MJB)."""
        return cls(mujoco.MjModel.from_binary_path(fspath(file_path)))

    def reload_from_mjcf_model(self, mjcf_model: RootElement) -> None:
        """Compiles `mjcf_model` again, replaces the model with the result, and resets the state.

        Existing bindings then refer to the new model, but arrays taken from them earlier still
        belong to the old model. Raises MjcfError, and changes nothing, if the model does not
        compile.
        """
        model, names = compile_model(mjcf_model)
        self._take(model, mujoco.MjData(model), names)

    def reload_from_xml_string(
        self, xml_string: str, assets: Mapping[str, bytes] | None = None
    ) -> None:
        """Replaces the model with one from an MJCF text, and resets the state."""
        serve_names_in(xml_string)
        model = mujoco.MjModel.from_xml_string(xml_string, dict(assets or {}))
        self._take(model, mujoco.MjData(model), None)

    def reload_from_xml_path(self, file_path: str | PathLike[str]) -> None:
        """Replaces the model with one from an MJCF file, and resets the state."""
        model = mujoco.MjModel.from_xml_path(fspath(file_path))
        self._take(model, mujoco.MjData(model), None)

    def _take(self, model: mujoco.MjModel, data: mujoco.MjData, names: Names | None) -> None:
        self._images.free()
        self._memory.take(model, data, names)
        there = {id(binding) for binding in self._following if binding._follow()}
        self._bindings = {k: each for k, each in self._bindings.items() if id(each) in there}
        self._look_at()
        self._begin(self.after_reset)

    def copy(self: Self, share_model: bool = False) -> Self:
        """Returns another physics in the same state, with its own model unless shared."""
        model = self._memory.model if share_model else copy.copy(self._memory.model)
        data = mujoco.MjData(model)
        mujoco.mj_copyData(data, model, self._memory.data)
        made = type(self).__new__(type(self))
        made._hold(self._memory_type(model, data, self._memory.names))
        made._memory.outdated, made._memory.lags = self._memory.outdated, self._memory.lags
        return made

    def __copy__(self: Self) -> Self:
        return self.copy(share_model=True)

    def __deepcopy__(self: Self, memo: object) -> Self:
        return self.copy()

    def __getstate__(self) -> Saved:
        return save(self._memory)

    def __setstate__(self, saved: Saved) -> None:
        self._hold(restore(saved, self._memory_type))

    def free(self) -> None:
        """Frees the OpenGL resources now, instead of when the physics is garbage-collected."""
        self._images.free()

    # Elements

    @property
    def named(self) -> Named:
        """The arrays of model and data by element name, as in `named.data.qpos['hinge']`."""
        return self._named

    def bind(self, mjcf_elements: Element | Iterable[Element]) -> Binding:
        """Returns the arrays of an element, or of several elements of the same kind.

        Raises ValueError if MuJoCo has no such kind of element, if an element is not in the model,
        or if the elements are of different kinds.
        """
        key: Any = mjcf_elements
        try:
            return self._bindings[tuple(key) if type(key) is list else key]
        except (KeyError, TypeError):
            pass  # not bound yet, or an unhashable collection
        if not isinstance(key, Element):
            key = elements_in(key)
            found = self._bindings.get(key)
            if found is not None:
                return found
        return self._new_binding(key)

    def _new_binding(self, key: Element | tuple[Element, ...]) -> Binding:
        if not key:
            return EmptyBinding()  # type: ignore[return-value]
        kind = one_kind(key if isinstance(key, tuple) else (key,))
        binding = self._bindings[key] = binding_type(kind, self._quantities)(self._memory, key)
        self._following.add(binding)
        return binding

    # Images

    def render(
        self,
        height: int = 240,
        width: int = 320,
        camera_id: int | str | mujoco.MjvCamera = -1,
        *,
        depth: bool = False,
        segmentation: bool = False,
        scene_option: mujoco.MjvOption | None = None,
        render_flag_overrides: Mapping[Any, bool] | None = None,
        scene_callback: Callable[[Physics, mujoco.MjvScene], object] | None = None,
    ) -> Any:
        """Renders an image: RGB, depth in metres, or pairs of id and mjtObj (-1 for background).

        The shape is (height, width, 3) for RGB (uint8), (height, width) for depth (float32), and
        (height, width, 2) for segmentation (int32). `camera_id` is a number, a name, -1 for the
        free camera, or a MuJoCo camera. Flags have the names of mjtRndFlag, such as `wireframe`.
        The callback can add geoms to the scene. Raises ValueError for an unknown camera or an
        invalid size, and RenderingError without OpenGL.
        """
        if depth and segmentation:
            raise ValueError('depth and segmentation cannot both be rendered')
        if self._memory.outdated == POSITIONS:
            self._memory.refresh()
        edit = None if scene_callback is None else lambda scene: scene_callback(self, scene)
        return self._images.make(
            self._memory.data, height, width, camera_id,
            depth=depth, segmentation=segmentation, option=scene_option,
            flags=render_flag_overrides or {}, edit=edit,
        )  # fmt: skip
