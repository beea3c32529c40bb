"""The memory of an instance, to which `plugin_data` points: an INSTANCE and its data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ..machine_code import Loaded
from ..records import BLOCK_ALIGNMENT, INSTANCE, RECORD_OFFSET, SDF, SPAN, Capability, Function
from ..state_record import State, new_state, record_type
from ..user_code import compile_entry
from .engine_plugin import EnginePlugin
from .instance import Instance
from .rules import box, check_sizes

Config = dict[str, Any]
_Codes = dict[tuple[Function, np.dtype[np.void], bool], Loaded | None]
_codes: WeakKeyDictionary[type[EnginePlugin], _Codes] = WeakKeyDictionary()
_kept: list[Loaded | None] = []


class Block:
    """A block of bytes under construction, in which every part is aligned for any vector."""

    def __init__(self, reporter: int, number: int, *, boundscheck: bool = False) -> None:
        self.boundscheck = boundscheck
        self.head = np.zeros(1, INSTANCE)
        self.head['reporter'], self.head['number'] = reporter, number
        self._parts: list[bytes] = []
        self._size = RECORD_OFFSET

    def add(self, *parts: bytes) -> int:
        """Appends parts, and returns their offsets in bytes."""
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
    """Makes the block of an instance in an mjData.

    Raises ValueError for an invalid configuration, and passes on what the plugin's own code
    raises.
    """
    check_sizes(plugin, config, instance)
    record = new_state(**plugin.parameters(config, instance), instance=instance.id)
    block = Block(reporter, number, boundscheck=boundscheck)
    block.add(record.tobytes())
    _add_functions(block, plugin, (each for each in Function if each not in SDF), record)
    model = instance.model
    outputs = model.actuator_outadr[instance.actuators]
    _add_spans(block, 'actuators', zip(outputs, outputs + 1, strict=True))
    first = model.sensor_adr[instance.sensors]
    ends = first + model.sensor_dim[instance.sensors]
    _add_spans(block, 'sensors', zip(first, ends, strict=True))
    # only those with a range, as most have none and then cost no time
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
    """Makes the block of a signed distance field for its mesh, which has no instance yet."""
    block = Block(reporter, number, boundscheck=boundscheck)
    _add_shape(block, plugin, config)
    return block.bytes()


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
        if merged and merged[-1][1] == first:
            merged[-1][1] = end
        else:
            merged.append([first, end])
    array = np.array([tuple(each) for each in merged], SPAN)
    block.head[name], block.head[f'{name[:-1]}_spans'] = block.add(array.tobytes()), len(array)


def _compiled(
    plugin: type[EnginePlugin], function: Function, record: np.dtype[np.void], boundscheck: bool
) -> Loaded | None:
    """Returns a function's code for such a record, or None if the plugin lacks the function.

    Most instances share the code. It stays loaded when the class is gone, as data that exist may
    run it.
    """
    codes, what = _codes.setdefault(plugin, {}), (function, record, boundscheck)
    if what not in codes:
        codes[what] = _compile(plugin, *what)
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
