"""Names of the objects of a model: bodies, joints, cameras and so on."""

from __future__ import annotations

from functools import cache

import mujoco

from ...config.wording import unknown
from ...errors import SimulationError

_SHORT = {'camera': 'cam'}
_TABLES = {'camera': 'cam', 'joint': 'jnt', 'equality': 'eq', 'texture': 'tex', 'material': 'mat'}
"""The kinds that the address arrays abbreviate: `name_jntadr` has the addresses of joint names."""


def name_of(model: mujoco.MjModel, kind: mujoco.mjtObj, index: int) -> str:
    """Returns the object's name, or ``unnamed_<kind>_<id>``: unnamed_body_3, unnamed_cam_0."""
    word = _word(kind)
    return given_name(model, kind, index) or f'unnamed_{_SHORT.get(word, word)}_{index}'


def given_name(model: mujoco.MjModel, kind: mujoco.mjtObj, index: int) -> str:
    r"""Returns the object's name; empty for an unnamed object.

    Bytes that are not UTF-8, which are possible in files, are written as ``\xff``.
    """
    try:
        return mujoco.mj_id2name(model, kind, index) or ''
    except UnicodeDecodeError:
        word = _word(kind)
        start = getattr(model, f'name_{_TABLES.get(word, word)}adr')[index]
        return bytes(model.names[start:].partition(b'\0')[0]).decode('utf-8', 'backslashreplace')


def given_names(model: mujoco.MjModel, kind: mujoco.mjtObj) -> list[str]:
    """Returns the names of all objects of a kind, in the order of their ids; see `given_name`.

    `model.names` contains the names one after the other, including empty names, each with a
    terminating zero.
    """
    word, names = _word(kind), bytes(model.names)
    starts = getattr(model, f'name_{_TABLES.get(word, word)}adr')
    if not len(starts):
        return []
    end = names.index(0, starts[-1])
    return names[starts[0] : end].decode('utf-8', 'backslashreplace').split('\0')


def names_of(model: mujoco.MjModel, kind: mujoco.mjtObj, prefix: str) -> dict[str, int]:
    """Returns the ids of the named objects of a kind, by name without the prefix.

    Objects without the prefix belong to other robots and are skipped.
    """
    counts = {
        mujoco.mjtObj.mjOBJ_SENSOR: model.nsensor, mujoco.mjtObj.mjOBJ_SITE: model.nsite,
        mujoco.mjtObj.mjOBJ_BODY: model.nbody, mujoco.mjtObj.mjOBJ_GEOM: model.ngeom,
        mujoco.mjtObj.mjOBJ_CAMERA: model.ncam, mujoco.mjtObj.mjOBJ_JOINT: model.njnt,
        mujoco.mjtObj.mjOBJ_ACTUATOR: len(model.actuator_trntype),  # nu counts controls instead
    }  # fmt: skip
    names = ((given_name(model, kind, number), number) for number in range(counts[kind]))
    return {
        name.removeprefix(prefix): number
        for name, number in names
        if name and name.startswith(prefix)
    }


def keyframes(model: mujoco.MjModel) -> dict[str, float]:
    """Returns the time in s of each named keyframe, in the order of the model."""
    kind = mujoco.mjtObj.mjOBJ_KEY
    named = {given_name(model, kind, key): float(model.key_time[key]) for key in range(model.nkey)}
    return {name: time_s for name, time_s in named.items() if name}


def keyframe_id(model: mujoco.MjModel, name: str) -> int:
    """Returns the id of a keyframe. Raises SimulationError, with the known names, if unknown."""
    kind = mujoco.mjtObj.mjOBJ_KEY
    names = [given_name(model, kind, number) for number in range(model.nkey)]
    if not name or name not in names:
        raise SimulationError(unknown('keyframe', name, filter(None, names)))
    return names.index(name)


@cache
def _word(kind: mujoco.mjtObj) -> str:
    return str(kind.name).removeprefix('mjOBJ_').lower()
