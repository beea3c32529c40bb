"""Registers Python classes of engine plugins with MuJoCo, and creates their instances."""

from __future__ import annotations

import ctypes
import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import mujoco
import numpy as np

from ...errors import PluginError
from ...mujoco_internals import PluginStruct
from .. import own_code
from ..engine_plugin_records import Capability, Function
from ..exception_places import locate
from ..libmujoco import library
from ..stack_arrays import Numbers
from . import plugin_table
from .engine_plugin import EnginePlugin
from .instance import Instance
from .instance_block import instance_block, put_block, shape_block
from .plugin_attribute import Value, read_config
from .rules import check_class, size
from .shape_inertia import InertiaWarnings

_log = logging.getLogger(__name__)
_P, _I = ctypes.c_void_p, ctypes.c_int


_SDF_ATTRIBUTE = ctypes.CFUNCTYPE(None, _P, _P, _P)


class _Placeholder(EnginePlugin):
    """A placeholder for a shape that cannot be created; `init` reports the reason afterwards.

    It is long and thin, because MuJoCo creates the mesh of a long and thin shape in a fraction of
    the time of a sphere's mesh.
    """

    @classmethod
    def bounds(cls, config: Mapping[str, Value]) -> tuple[float, ...]:
        return 1.0, 0.1, 0.1

    @staticmethod
    def distance(shape: np.record, point: Numbers) -> Any:
        return (point[0] ** 2 + 100.0 * (point[1] ** 2 + point[2] ** 2)) ** 0.5 - 1.0


class _Registry:
    """The registry of all Python engine plugins; it lives until the process exits."""

    def __init__(self) -> None:
        self._classes: dict[str, type[EnginePlugin]] = {}
        self._checked: dict[str, bool] = {}
        """The `boundscheck` of each plugin, by name."""
        self._owners: dict[tuple[str, str], int] = {}
        """Numbers each pair of plugin and instance names; `report` receives the number."""
        self._shapes: dict[int, ctypes.Array[ctypes.c_char]] = {}
        """The block for the mesh that MuJoCo is creating on a thread, by thread identifier."""
        self._thread = threading.local()
        """Its `interrupt` is an exception such as KeyboardInterrupt that could not be raised in a
        C callback on this thread."""
        self._inertia_warnings = InertiaWarnings()
        self._keep: list[Any] = []
        self._lock = plugin_table.lock
        self._callbacks = {
            'nstate': ctypes.CFUNCTYPE(_I, _P, _I)(self._state_size),
            'nsensordata': ctypes.CFUNCTYPE(_I, _P, _I, _I)(self._sensor_size),
            'init': ctypes.CFUNCTYPE(_I, _P, _P, _I)(self._init),
        }

    def register(self, plugin: type[EnginePlugin], *, boundscheck: bool = False) -> None:
        """Registers a plugin with MuJoCo, or replaces the previous class of the same name.

        With `boundscheck` an index out of range raises IndexError, in data created after this
        call.
        """
        check_class(plugin)
        with self._lock:
            present, before = plugin_table.find(plugin.name), self._classes.get(plugin.name)
            if present and before is plugin:
                self._checked[plugin.name] = boundscheck
                return
            # Only the module that defined the previous class can replace it, after an edit.
            if present and (before is None or before.__module__ != plugin.__module__):
                taken_by = self.owner(plugin.name)
                raise PluginError(f'engine plugin {plugin.name!r} is taken by {taken_by}')
            struct = self._struct(plugin)
            self._classes[plugin.name], self._checked[plugin.name] = plugin, boundscheck
            if present:
                _overwrite(present, struct)
            else:
                # Registers each name once, because MuJoCo ends the process at a second
                # registration.
                library().mjp_registerPlugin(ctypes.byref(struct))

    def restore(self, before: Mapping[str, tuple[type[EnginePlugin], bool]]) -> None:
        """Registers earlier classes again; `before` is a result of `registered`."""
        for plugin, boundscheck in before.values():
            self.register(plugin, boundscheck=boundscheck)

    def registered(self) -> dict[str, tuple[type[EnginePlugin], bool]]:
        """Returns the registered classes by name, each with its `boundscheck`."""
        with self._lock:
            return {name: (each, self._checked[name]) for name, each in self._classes.items()}

    def classes(self) -> dict[str, type[EnginePlugin]]:
        """Returns the registered classes by name."""
        with self._lock:
            return dict(self._classes)

    def owner(self, name: str) -> str:
        """Describes the class or library that has registered a name; empty if the name is free."""
        present = plugin_table.find(name)
        if not present:
            return ''
        plugin = self._classes.get(PluginStruct.from_address(present).name.decode())
        if plugin is None:
            return ', '.join(filter(None, ('a library', plugin_table.file_of(present))))
        other = f' as {plugin.name!r}' if plugin.name != name else ''
        return f'class {plugin.__module__}.{plugin.__qualname__}{other}'

    def _struct(self, plugin: type[EnginePlugin]) -> PluginStruct:
        # at least one attribute, because `_shape_of` stores an address in the first
        names = [name.encode() for name in plugin.attributes] or [b'_']
        array = (ctypes.c_char_p * len(names))(*names)
        callbacks = {
            **self._callbacks,
            'sdf_attribute': _SDF_ATTRIBUTE(self._shape_of(plugin.name)),
        }
        struct = PluginStruct(
            name=plugin.name.encode(),
            nattribute=len(names),
            attributes=array,
            capabilityflags=int(plugin.capabilities),
            needstage=int(plugin.stage),
        )
        for name in _wanted(plugin):
            if name in callbacks:
                address = ctypes.cast(callbacks[name], _P).value
            else:
                address = own_code.function(f'plugin_{name}').address
            setattr(struct, name, address)
        # MuJoCo copies the struct and its strings at registration, but not the functions.
        # `_overwrite` later puts addresses of these strings into MuJoCo's copy.
        self._keep.append((array, names, struct, callbacks))
        return struct

    def _shape_of(self, name: str) -> Callable[[int, int, int], None]:
        """Returns the function through which MuJoCo passes a shape's attributes before `init`."""

        def read(attributes: int, names: int, values: int) -> None:
            plugin = self._classes[name]
            texts = (ctypes.c_char_p * len(plugin.attributes)).from_address(values)
            given = dict(zip(plugin.attributes, texts, strict=True))
            number = self._number(plugin.name, 'its mesh')
            try:
                config = read_config(plugin.attributes, lambda name: (given[name] or b'').decode())
                checked = self._checked[plugin.name]
                block = shape_block(plugin, config, id(_report), number, boundscheck=checked)
            except BaseException as error:
                self._postpone(error)
                # MuJoCo cannot reject a shape here. It creates the mesh of the placeholder and
                # then calls `init`, which can reject the shape.
                block = shape_block(_Placeholder, {}, id(_report), number)
            # MuJoCo compiles meshes on several threads of its own, each with one mesh at a time. A
            # threading.local does not work: for such threads, Python discards its values at the
            # end of this call.
            kept = ctypes.create_string_buffer(block, len(block))
            self._shapes[threading.get_ident()] = kept
            ctypes.c_int64.from_address(attributes).value = ctypes.addressof(kept)

        return read

    def _plugin(self, instance: Instance) -> type[EnginePlugin]:
        slot = int(instance.model.plugin[instance.id])
        lib = library()
        # Without these types, ctypes would truncate the address to 32 bits.
        lib.mjp_getPluginAtSlot.argtypes, lib.mjp_getPluginAtSlot.restype = [_I], _P
        name = PluginStruct.from_address(lib.mjp_getPluginAtSlot(slot)).name.decode()
        return self._classes[name]

    def _state_size(self, model: int, id_: int) -> int:
        return self._size(model, id_, 'state_size')

    def _sensor_size(self, model: int, id_: int, sensor: int) -> int:
        return self._size(model, id_, 'sensor_size', sensor)

    def _size(self, model: int, id_: int, method: str, *arguments: int) -> int:
        try:
            instance = Instance(model, id_)
            plugin = self._plugin(instance)
            config = read_config(plugin.attributes, instance.config)
            value = getattr(plugin, method)(config, instance, *arguments)
            return size(value, method)
        except BaseException as error:
            self._postpone(error)
            return 0

    def _postpone(self, error: BaseException) -> None:
        """Keeps an interrupt, such as Ctrl-C, until `init` can raise it."""
        # Other errors do not have to be kept: they occur again in `init`, which can report them.
        if not isinstance(error, Exception):
            self._thread.interrupt = error

    def _init(self, model: int, data: int, id_: int) -> int:
        instance = Instance(model, id_)
        try:
            self._make(instance, data)
        except BaseException as error:  # called by MuJoCo, so an exception would be lost
            name = repr(instance.name) if instance.name else id_
            where = f'engine plugin {self._plugin(instance).name}, instance {name}'
            library().mju_warning(b'%s', f'{where}: {_told(error)}'.encode(errors='replace'))
            return -1
        return 0

    def _make(self, instance: Instance, data: int) -> None:
        interrupt: BaseException | None = self._thread.__dict__.pop('interrupt', None)
        if interrupt is not None:
            raise interrupt
        plugin = self._plugin(instance)
        config = read_config(plugin.attributes, instance.config)
        # The block identifies its instance by a number, not by an object: MuJoCo copies the block
        # with the data, and the copy may outlive the class.
        number = self._number(plugin.name, instance.name or str(instance.id))
        checked = self._checked[plugin.name]
        block = instance_block(plugin, config, instance, id(_report), number, boundscheck=checked)
        put_block(data, instance.id, block)
        if plugin.capabilities & Capability.SDF:
            self._inertia_warnings.look(plugin.name, instance)

    def _number(self, plugin: str, instance: str) -> int:
        with self._lock:
            return self._owners.setdefault((plugin, instance), len(self._owners))

    def report(self, index: int, error: BaseException | None) -> None:
        """Logs the exception of a compiled function, or that the function diverges.

        An odd `index` means that the function of this instance was already reported; the call then
        does nothing.
        """
        index, told = divmod(index, 2)
        if told:
            return
        number, function = divmod(index, len(Function))
        plugin, instance = list(self._owners)[number]
        where = f'{Function(function).method} of engine plugin {plugin}, instance {instance}'
        if error is None:
            _log.warning(
                '%s returns values that are not finite or above %g', where, mujoco.mjMAXVAL
            )
        else:
            locate(error)
            _log.error('%s raised', where, exc_info=error)


_registry = _Registry()
_report = _registry.report
register = _registry.register
owner = _registry.owner
classes = _registry.classes
registered_classes = _registry.registered
restore_classes = _registry.restore


def _wanted(plugin: type[EnginePlugin]) -> Iterator[str]:
    """Yields the fields of mjpPlugin that a plugin needs."""
    yield from ('nstate', 'init', 'destroy', 'copy', 'reset', 'compute')
    if plugin.capabilities & Capability.SENSOR:
        yield 'nsensordata'
    if plugin.capabilities & Capability.SDF:
        yield from (each[0] for each in PluginStruct._fields_ if each[0].startswith('sdf'))
    optional = (Function.ADVANCE, Function.ACTUATOR_ACT_DOT, Function.VISUALIZE)
    yield from (each.method for each in optional if each in plugin.functions())


def _told(error: BaseException) -> str:
    """Returns the text of an error, with its type unless it is a message to users.

    Authors of plugins raise ValueError for messages to users.
    """
    plain = isinstance(error, (ValueError, PluginError))
    return str(error) if plain else f'{type(error).__name__}: {error}'


def _overwrite(present: int, struct: PluginStruct) -> None:
    """Replaces a plugin in MuJoCo's table, because MuJoCo cannot register a name again."""
    # Keeps the name. Existing data keep their blocks, and thus run the code of the previous class.
    start = PluginStruct.nattribute.offset
    size = ctypes.sizeof(struct) - start
    ctypes.memmove(present + start, ctypes.addressof(struct) + start, size)
