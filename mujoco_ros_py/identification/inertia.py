"""Inertias of bodies in the coordinates of `mujoco.sysid`, whose every value is physical."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
from mujoco import sysid

from .sequences import Array

BODY = 'body'
COORDINATES = (
    *('size', 'stretch x', 'stretch y', 'stretch z', 'shear xy', 'shear yz', 'shear xz'),
    *('center x', 'center y', 'center z'),
)
"""The names of the coordinates."""
_MOMENTS = (0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)
"""The rows and columns of the numbers of `fullinertia`."""


class BodyInertia:
    """The inertia of one body as ten coordinates.

    The coordinates follow C. Rucker and P. Wensing, "Smooth parameterization of rigid-body
    inertia" (2022): the logarithm of the root of the mass, three logarithms of stretches, three
    shears and three translations. Each set of coordinates is a physical body.
    """

    def __init__(self, model: mujoco.MjModel, body: str) -> None:
        found = model.body(body)
        self._inertial = {
            'mass': float(found.mass[0]),
            'ipos': found.ipos.copy(),
            'iquat': found.iquat.copy(),
            'inertia': found.inertia.copy(),
        }
        self.parameter = sysid.body_inertia_param(
            self._spec(), self._spec().compile(), BODY, sysid.InertiaType.Pseudo
        )
        """The ten coordinates with their bounds."""

    def inertial(self, coordinates: Array) -> dict[str, Any]:
        """Returns `pos`, `mass` and `fullinertia` of an <inertial>, about the center of mass."""
        spec = self._spec()
        self.parameter.update_from_vector(coordinates)
        sysid.apply_body_inertia(spec, BODY, self.parameter)
        body = spec.body(BODY)
        return {
            'pos': np.array(body.ipos),
            'mass': float(body.mass),
            'fullinertia': np.array(body.fullinertia).ravel(),
        }

    def scaled(self, mass: float) -> dict[str, Any]:
        """Returns the same for another mass of the same shape and density ratios."""
        factor = mass / self._inertial['mass']
        matrix = np.zeros(9)
        mujoco.mju_quat2Mat(matrix, self._inertial['iquat'])
        axes = matrix.reshape(3, 3)
        inertia = factor * axes @ np.diag(self._inertial['inertia']) @ axes.T
        moments = np.array([inertia[place] for place in _MOMENTS])
        return {'pos': self._inertial['ipos'].copy(), 'mass': mass, 'fullinertia': moments}

    def _spec(self) -> mujoco.MjSpec:
        spec = mujoco.MjSpec()
        spec.worldbody.add_body(name=BODY, explicitinertial=True, **self._inertial)
        return spec
