"""The options of a model that runs, which may have been changed since it was compiled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mujoco
import numpy as np

from ...mjcf import RootElement
from ...mjcf.tree.element import Element

_ENUMS: Mapping[str, tuple[Any, str]] = {
    'integrator': (mujoco.mjtIntegrator, 'mjINT_'),
    'cone': (mujoco.mjtCone, 'mjCONE_'),
    'jacobian': (mujoco.mjtJacobian, 'mjJAC_'),
    'solver': (mujoco.mjtSolver, 'mjSOL_'),
}
"""The options with names for their values: the enumeration, and how its names begin."""
_BITS: tuple[tuple[Any, str, str], ...] = (
    (mujoco.mjtDisableBit, 'mjDSBL_', 'disableflags'),
    (mujoco.mjtEnableBit, 'mjENBL_', 'enableflags'),
)


def running_options(opt: mujoco.MjOption) -> Element:
    """Returns the element `<option>` of a model that has these options, with all of them."""
    option: Element = RootElement().option
    for key, attribute in option._attributes.items():
        if (value := getattr(opt, key, None)) is None:
            continue
        if key in _ENUMS:
            kind, prefix = _ENUMS[key]
            name = kind(int(value)).name.removeprefix(prefix).lower()
            value = next(each for each in attribute.spec.keywords if each.lower() == name)
        setattr(option, key, np.array(value).tolist())
    groups = [group for group in range(31) if opt.disableactuator >> group & 1]
    option.actuatorgroupdisable = groups or None
    for key in option.flag._attributes:
        for kind, prefix, field in _BITS:
            if bit := getattr(kind, f'{prefix}{key.upper()}', 0):
                is_set = bool(getattr(opt, field) & int(bit))
                setattr(option.flag, key, 'enable' if is_set == (field[0] == 'e') else 'disable')
    return option
