"""Compares two compiled models."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

TOLERANCE = 1e-6
"""The relative tolerance for rounding in poses and in the floats of skins."""
_OF_FILES = 'nbuffer', 'npaths', 'paths', 'signature', 'names_map'
_USED = {
    mujoco.mjtGeom.mjGEOM_SPHERE.value: 1,
    mujoco.mjtGeom.mjGEOM_CAPSULE.value: 2,
    mujoco.mjtGeom.mjGEOM_CYLINDER.value: 2,
}
"""The number of used sizes of a geom, by type; the other sizes are arbitrary."""


def differences(
    ours: mujoco.MjModel, other: mujoco.MjModel, tolerance: float = TOLERANCE
) -> list[str]:
    """Returns the differing fields, except file paths and fields derived from others."""
    parts = ('', ours, other), ('opt.', ours.opt, other.opt)
    return [
        f'{prefix}{name}'
        for prefix, a, b in parts
        for name in _fields(a)
        if not _same(a, b, name, tolerance)
    ]


def _fields(of: Any) -> list[str]:
    names = [name for name in dir(of) if not name.startswith(('_', 'bvh_'))]
    return [name for name in names if name not in _OF_FILES and not name.endswith('_pathadr')]


def _same(a: object, b: object, name: str, tolerance: float) -> bool:
    ours, other = _meant(a, name), _meant(b, name)
    if isinstance(ours, np.ndarray):
        if ours.shape != other.shape:
            return False
        if ours.dtype.kind != 'f':
            return np.array_equal(ours, other)
        scale = np.max(np.abs(ours), initial=1e-3, where=np.isfinite(ours))
        return np.allclose(ours, other, rtol=0, atol=tolerance * scale, equal_nan=True)
    return bool(ours == other) if isinstance(ours, int | float | bytes) else True


def _meant(of: Any, name: str) -> Any:
    value = getattr(of, name)
    if name not in ('geom_size', 'site_size'):
        return value
    kinds = of.geom_type if name == 'geom_size' else of.site_type
    used = np.array([_USED.get(int(kind), 3) for kind in kinds], int).reshape(-1, 1)
    return np.where(np.arange(3) < used, value, 0)
