"""The memory that an instance's `plugin_data` points to: an INSTANCE and its data."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ..engine_plugin_records import (
    BLOCK_ALIGNMENT,
    INSTANCE,
    RECORD_OFFSET,
    SDF,
    SPAN,
    Capability,
    Function,
)
from ..machine_code import Loaded
from ..state_record import State, new_state, record_type
from ..struct_layout import struct_layout
from ..user_code import compile_entry
from .engine_plugin import EnginePlugin
from .instance import Instance
from .rules import box, check_sizes

Config = dict[str, Any]
_Codes = dict[tuple[Function, np.dtype[np.void], bool], Loaded | None]
_codes: WeakKeyDictionary[type[EnginePlugin], _Codes] = WeakKeyDictionary()
_kept: list[Loaded | None] = []


class Block:
    """Builds a block of bytes in which every part is aligned for any vector type."""

    def __init__(self, reporter: int, number: int, *, boundscheck: bool = False) -> None:
        self.boundscheck = boundscheck
        self.head = np.zeros(1, INSTANCE)
        self.head['reporter'], self.head['number'] = reporter, number
        self._parts: list[bytes] = []
        self._size = RECORD_OFFSET

    def add(self, *parts: bytes) -> int:
        """Appends parts; returns the offset of the first part in bytes."""
        place = self._size
        joined = b''.join(parts)
        self._parts.append(joined + bytes(-len(joined) % BLOCK_ALIGNMENT))
        self._size += len(self._parts[-1])
        return place

    def bytes(self) -> bytes:
        """Returns the whole block."""
        self.head['size'] = self._size
        filler = bytes(RECORD_OFFSET - INSTANCE.itemsize)
        return b''.join([self.head.tobytes(), filler, *self._parts])


def instance_block(
    plugin: type[EnginePlugin],
    config: Config,
    instance: Instance,
    reporter: int,
    number: int,
    *,
    boundscheck: bool = False,
) -> bytes:
    """Builds the block of an instance in an mjData.

    Raises ValueError for an invalid configuration. Exceptions of the plugin's own code are passed
    on.
    """
    check_sizes(plugin, config, instance)
    record = new_state(**plugin.parameters(config, instance), instance=instance.id)
    block = Block(reporter, number, boundscheck=boundscheck)
    # Added first, because compiled code expects the record at `RECORD_OFFSET`.
    block.add(record.tobytes())
    _add_functions(block, plugin, (each for each in Function if each not in SDF), record)
    model = instance.model
    outputs = model.actuator_outadr[instance.actuators]
    _add_spans(block, 'actuators', zip(outputs, outputs + 1, strict=True))
    first = model.sensor_adr[instance.sensors]
    ends = first + model.sensor_dim[instance.sensors]
    _add_spans(block, 'sensors', zip(first, ends, strict=True))
    # Only controls with a range are clipped. Most instances have none, and lose no time.
    own = np.zeros(len(model.actuator_ctrllimited), bool)
    for actuator in instance.actuators:
        first = model.actuator_ctrladr[actuator]
        own[first : first + model.actuator_ctrlnum[actuator]] = True
    limited = np.flatnonzero(own & (model.actuator_ctrllimited != 0))
    _add_spans(block, 'controls', zip(limited, limited + 1, strict=True))
    block.head['unclipped'] = block.add(np.zeros(len(limited)).tobytes())
    if plugin.capabilities & Capability.SDF:
        _add_shape(block, plugin, config)
    return block.bytes()


def shape_block(
    plugin: type[EnginePlugin],
    config: Config,
    reporter: int,
    number: int,
    *,
    boundscheck: bool = False,
) -> bytes:
    """Builds the block of a distance field for its mesh, before an instance exists."""
    block = Block(reporter, number, boundscheck=boundscheck)
    _add_shape(block, plugin, config)
    return block.bytes()


def put_block(data: int, instance: int, block: bytes) -> None:
    """Copies an instance's block into memory, and stores its address in the mjData."""
    address = _allocate(len(block))
    # Allocated by the C library, because MuJoCo frees and copies data without Python.
    ctypes.memmove(address, block, len(block))
    field = struct_layout('mjData').fields['plugin_data']
    array = ctypes.c_uint64.from_address(data + field.offset).value
    ctypes.c_uint64.from_address(array + 8 * instance).value = address


def _allocate(size: int) -> int:
    allocate = ctypes.CDLL(None).aligned_alloc
    allocate.argtypes, allocate.restype = [ctypes.c_size_t] * 2, ctypes.c_void_p
    address = allocate(BLOCK_ALIGNMENT, size)
    if not address:
        raise MemoryError(f'cannot allocate {size} bytes for an instance')
    return int(address)


def _add_shape(block: Block, plugin: type[EnginePlugin], config: Config) -> None:
    record = new_state(bounds=box(plugin.bounds(config)), **plugin.shape(config))
    block.head['shape'] = block.add(record.tobytes())
    _add_functions(block, plugin, SDF, record)


def _add_functions(
    block: Block, plugin: type[EnginePlugin], functions: Iterable[Function], record: State
) -> None:
    for function in functions:
        loaded = _compiled(plugin, function, record_type(record), block.boundscheck)
        block.head['functions'][0, function] = loaded.address if loaded else 0


def _add_spans(block: Block, name: str, spans: Iterable[tuple[int, int]]) -> None:
    merged: list[list[int]] = []
    for first, end in sorted(spans):
        # Most instances drive adjacent actuators, and one span is checked faster than several.
        if merged and merged[-1][1] == first:
            merged[-1][1] = end
        else:
            merged.append([first, end])
    array = np.array([tuple(each) for each in merged], SPAN)
    block.head[name], block.head[f'{name[:-1]}_spans'] = block.add(array.tobytes()), len(array)


def _compiled(
    plugin: type[EnginePlugin], function: Function, record: np.dtype[np.void], boundscheck: bool
) -> Loaded | None:
    """Returns a function's code for a record type; None if the plugin has no such function.

    Most instances share the code. The code stays loaded after the class is gone, because existing
    data may run it.
    """
    codes, what = _codes.setdefault(plugin, {}), (function, record, boundscheck)
    if what not in codes:
        codes[what] = _compile(plugin, *what)
        # Never removed, because the blocks of data contain the code's address, and the blocks are
        # not counted.
        _kept.append(codes[what])
    return codes[what]


def _compile(
    plugin: type[EnginePlugin], function: Function, record: np.dtype[np.void], boundscheck: bool
) -> Loaded | None:
    defined = plugin.functions()
    if function in defined:
        return compile_entry(function, defined[function], record, boundscheck=boundscheck)
    if function is Function.GRADIENT:
        distance = defined[Function.DISTANCE]
        return compile_entry(function, distance, record, of_distance=True, boundscheck=boundscheck)
    return None
