"""The layout of a state: the objects that its numbers belong to.

A state fits all models with the same layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from itertools import zip_longest

import mujoco

from ...engine.engine_plugins import plugin_table
from ..models.object_names import name_of

STATE = mujoco.mjtState.mjSTATE_INTEGRATION
"""The parts of the data in a saved state."""

StateLayout = Mapping[str, int | tuple[str, ...]]
"""Maps the names of sizes to numbers, and kinds of objects to descriptions of the objects.

Objects are in the order of their numbers in the state. Masses, gains and options are not part of
the layout: tuning a running model does not change it.
"""
_SIZES = 'nq', 'nv', 'na', 'nu', 'nbody', 'nmocap', 'neq', 'nuserdata', 'npluginstate'
_Object = mujoco.mjtObj


def state_layout(model: mujoco.MjModel) -> StateLayout:
    """Returns the layout of the model's state. A thousand bodies take a few milliseconds."""
    sizes = {name: int(getattr(model, name)) for name in _SIZES}
    return {
        **sizes,
        'integration': mujoco.mj_stateSize(model, STATE),
        'body': tuple(_bodies(model)),
        'joint': tuple(_joints(model)),
        'actuator': tuple(_actuators(model)),
        'equality': tuple(_equalities(model)),
        'flex': tuple(name_of(model, _Object.mjOBJ_FLEX, i) for i in range(model.nflex)),
        'sensor with history': tuple(_sensors_with_history(model)),
        'engine plugin': tuple(_plugin_instances(model)),
    }


def unlike(there: StateLayout, here: StateLayout) -> list[str]:
    """Returns the differences between the layouts of a state and of the running model.

    Compares the objects only if all sizes are equal. Kinds of objects that are missing in the
    layout of an older state are not compared.
    """
    sizes = [
        f'{name} is {there.get(name)} in the state and {size} in the model'
        for name, size in here.items()
        if isinstance(size, int) and there.get(name) != size
    ]
    return sizes or list(_other_objects(there, here))


def _other_objects(there: StateLayout, here: StateLayout) -> Iterator[str]:
    """Yields a description of the first difference for each kind of object."""
    for kind, objects in here.items():
        others = there.get(kind, objects)
        if isinstance(objects, int) or isinstance(others, int):
            continue
        for index, (other, this) in enumerate(zip_longest(others, objects)):
            if other != this:
                yield (
                    f'{kind} {index} is {_shown(other)} in the state and {_shown(this)} in the'
                    ' model'
                )
                break


def _shown(described: str | None) -> str:
    return 'absent' if described is None else repr(described)


def _bodies(model: mujoco.MjModel) -> Iterator[str]:
    for body, mocap in enumerate(model.body_mocapid):
        name = name_of(model, _Object.mjOBJ_BODY, body)
        yield f'{name} (mocap)' if mocap >= 0 else name


def _joints(model: mujoco.MjModel) -> Iterator[str]:
    for joint, (kind, body) in enumerate(zip(model.jnt_type, model.jnt_bodyid, strict=True)):
        name, of = (
            name_of(model, _Object.mjOBJ_JOINT, joint),
            name_of(model, _Object.mjOBJ_BODY, body),
        )
        yield f'{name} ({_word(mujoco.mjtJoint(kind))} of {of})'


def _actuators(model: mujoco.MjModel) -> Iterator[str]:
    dynamics = zip(model.actuator_dyntype, model.actuator_actnum, strict=True)
    for actuator, (kind, activations) in enumerate(dynamics):
        name, word = name_of(model, _Object.mjOBJ_ACTUATOR, actuator), _word(mujoco.mjtDyn(kind))
        yield f'{name} (dynamics: {word}, activations: {activations})'


def _equalities(model: mujoco.MjModel) -> Iterator[str]:
    for equality, kind in enumerate(model.eq_type):
        yield f'{name_of(model, _Object.mjOBJ_EQUALITY, equality)} ({_word(mujoco.mjtEq(kind))})'


def _sensors_with_history(model: mujoco.MjModel) -> Iterator[str]:
    for sensor, address in enumerate(model.sensor_historyadr):
        if address >= 0:
            yield name_of(model, _Object.mjOBJ_SENSOR, sensor)


def _plugin_instances(model: mujoco.MjModel) -> Iterator[str]:
    """Yields the plugin instances by plugin name, because plugin numbers may differ by process."""
    plugins = list(plugin_table.addresses()) if model.nplugin else []
    for instance, (slot, count) in enumerate(
        zip(model.plugin, model.plugin_statenum, strict=True)
    ):
        name = name_of(model, _Object.mjOBJ_PLUGIN, instance)
        yield f'{name} ({plugins[slot]}, numbers: {count})'


@cache
def _word(kind: Enum) -> str:
    """Returns the last part of a constant's name in lower case: `hinge` for mjJNT_HINGE."""
    return kind.name.rpartition('_')[2].lower()
