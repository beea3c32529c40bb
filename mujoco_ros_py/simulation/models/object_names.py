"""Names of what a model is made of."""

from __future__ import annotations

import mujoco

_SHORT = {'camera': 'cam'}
_TABLES = {'camera': 'cam', 'joint': 'jnt', 'equality': 'eq', 'texture': 'tex', 'material': 'mat'}
"""How the arrays of names are called, where not by the kind."""


def name_of(model: mujoco.MjModel, kind: mujoco.mjtObj, index: int) -> str:
    """The name in the model, or ``unnamed_<kind>_<id>``: unnamed_body_3, unnamed_cam_0."""
    word = _word(kind)
    return given_name(model, kind, index) or f'unnamed_{_SHORT.get(word, word)}_{index}'


def given_name(model: mujoco.MjModel, kind: mujoco.mjtObj, index: int) -> str:
    r"""The name in the model, empty if it has none.

    Bytes that are not UTF-8, which files may have, are written as ``\xff``.
    """
    try:
        return mujoco.mj_id2name(model, kind, index) or ''
    except UnicodeDecodeError:
        word = _word(kind)
        start = getattr(model, f'name_{_TABLES.get(word, word)}adr')[index]
        return bytes(model.names[start:].partition(b'\0')[0]).decode('utf-8', 'backslashreplace')


def _word(kind: mujoco.mjtObj) -> str:
    return str(kind.name).removeprefix('mjOBJ_').lower()
