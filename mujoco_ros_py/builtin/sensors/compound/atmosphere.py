"""Compiled: the pressure of the International Standard Atmosphere.

The formulas and numbers are those of ISO 2533:1975 and of the U.S. Standard Atmosphere 1976, which
agree: in each layer the temperature changes evenly with the geopotential altitude.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....plugins.compiled_code import inlined

_SEA_LEVEL_PA, _SEA_LEVEL_K = 101325.0, 288.15
_GRAVITY, _GAS_CONSTANT = 9.80665, 287.05287
"""The standard gravity in m/s^2, and the specific gas constant of air in J/(kg K)."""
_EARTH_M = 6356766.0
"""The radius of the earth in the formula of the geopotential altitude."""
_LOWEST_M = -5000.0
_BASES = np.array([0.0, 11e3, 20e3, 32e3, 47e3, 51e3, 71e3, 84852.0])
_LAPSES = np.array([-6.5e-3, 0.0, 1e-3, 2.8e-3, 0.0, -2.8e-3, -2e-3, 0.0])
"""The geopotential altitude in m at which each layer begins, and its rise of temperature in K/m;
the last is an extension."""


@inlined
def standard_pressure(altitude: float) -> Any:
    """Returns the pressure in Pa at an altitude in m above the sea.

    The standard reaches from -5 km to 86 km. Below, the pressure is that of -5 km; above, the
    temperature stays the same.
    """
    height = max(altitude, _LOWEST_M)
    height = _EARTH_M * height / (_EARTH_M + height)
    pressure, temperature = _SEA_LEVEL_PA, _SEA_LEVEL_K
    for layer in range(len(_BASES)):
        top = _BASES[layer + 1] if layer + 1 < len(_BASES) else np.inf
        thickness = min(height, top) - _BASES[layer]
        above = temperature + _LAPSES[layer] * thickness
        if _LAPSES[layer] == 0:
            pressure *= math.exp(-_GRAVITY * thickness / (_GAS_CONSTANT * temperature))
        else:
            exponent = -_GRAVITY / (_GAS_CONSTANT * _LAPSES[layer])
            pressure *= math.pow(above / temperature, exponent)
        temperature = above
        if height <= top:
            break
    return pressure
