"""Finds the actuators that an entry of the timeline names."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco

from ...config import unknown
from ...errors import ConfigError
from ...simulation import given_name
from .encoders import own_names
from .timeline import NamedEntry

_ACTUATOR = mujoco.mjtObj.mjOBJ_ACTUATOR


def actuator_numbers(model: mujoco.MjModel, prefix: str, entry: NamedEntry) -> dict[str, int]:
    """Returns the actuators that an entry acts on: their names without the prefix, and their ids.

    The result is empty if the entry's target is not an actuator. Raises ConfigError for unknown
    names, and for a group without actuators.
    """
    target = entry.target
    if target.kind == 'actuator_group':
        assert target.actuator_group is not None
        return _group(model, prefix, entry.name, target.actuator_group)
    if target.kind != 'actuators':
        return {}
    found = {}
    for name in target.names:
        found[name] = int(mujoco.mj_name2id(model, _ACTUATOR, f'{prefix}{name}'))
        if found[name] < 0:
            known = own_names(model, _ACTUATOR, prefix, range(len(model.actuator_trntype)))
            raise ConfigError(f'timeline.{entry.name}.of: {unknown("actuator", name, known)}')
    return found


def _group(model: mujoco.MjModel, prefix: str, entry: str, group: int) -> dict[str, int]:
    names = {
        each: given_name(model, _ACTUATOR, each) for each in range(len(model.actuator_trntype))
    }
    own = {each: name for each, name in names.items() if name.startswith(prefix)}
    groups = {each: int(model.actuator_group[each]) for each in own}
    found = {
        own[each].removeprefix(prefix) or f'#{each}': each for each in own if groups[each] == group
    }
    if not found:
        known = ', '.join(str(each) for each in sorted(set(groups.values()))) or 'none'
        raise ConfigError(
            f'timeline.{entry}.of.actuator_group must be a group with actuators, got {group};'
            f' known: {known}'
        )
    return found


def controls_of(model: mujoco.MjModel, actuator: int) -> Sequence[int]:
    """Returns the addresses of an actuator's controls."""
    if not hasattr(model, 'actuator_ctrladr'):  # MuJoCo 3: each actuator has one control
        return range(actuator, actuator + 1)
    first = int(model.actuator_ctrladr[actuator])
    return range(first, first + int(model.actuator_ctrlnum[actuator]))


def output_of(model: mujoco.MjModel, actuator: int) -> tuple[int, int]:
    """Returns the address of an actuator's first output, and the number of its outputs."""
    if not hasattr(model, 'actuator_outadr'):
        return actuator, 1
    return int(model.actuator_outadr[actuator]), int(model.actuator_outnum[actuator])
