"""Compiled functions for positions on the WGS 84 ellipsoid and for the standard atmosphere.

A `place` is a vector of earth-fixed coordinates (ECEF) x, y and z in m. The z axis points to the
north pole, the x axis to the Greenwich meridian.

The air pressure follows ISO 2533:1975 and the U.S. Standard Atmosphere 1976, which agree. Within
each layer, the temperature is linear in the geopotential altitude.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....plugins.compiled_code import inlined

_EQUATOR_M, _FLATTENING = 6378137.0, 1.0 / 298.257223563
_POLE_M = _EQUATOR_M * (1.0 - _FLATTENING)
_ECCENTRICITY = _FLATTENING * (2.0 - _FLATTENING)
"""The square of the eccentricity."""
_SECOND = _ECCENTRICITY / (1.0 - _ECCENTRICITY)
"""The square of the second eccentricity."""
_ROUNDS = 4

_SEA_LEVEL_PA, _SEA_LEVEL_K = 101325.0, 288.15
_GRAVITY, _GAS_CONSTANT = 9.80665, 287.05287
"""The standard gravity in m/s^2, and the specific gas constant of air in J/(kg K)."""
_RADIUS_M = 6356766.0
"""The earth's radius in the formula of the geopotential altitude."""
_LOWEST_M = -5000.0
_BASES = np.array([0.0, 11e3, 20e3, 32e3, 47e3, 51e3, 71e3, 84852.0])
_LAPSES = np.array([-6.5e-3, 0.0, 1e-3, 2.8e-3, 0.0, -2.8e-3, -2e-3, 0.0])
"""The geopotential altitude in m at which each layer begins, and the layer's temperature gradient
in K/m; the last layer is above the range of the standard."""


@inlined
def place_at(latitude: float, longitude: float, altitude: float, place: Any) -> None:
    """Writes the position at latitude and longitude (rad) and altitude above the ellipsoid (m)."""
    sine, cosine = math.sin(latitude), math.cos(latitude)
    normal = _EQUATOR_M / math.sqrt(1.0 - _ECCENTRICITY * sine * sine)
    place[0] = (normal + altitude) * cosine * math.cos(longitude)
    place[1] = (normal + altitude) * cosine * math.sin(longitude)
    place[2] = (normal * (1.0 - _ECCENTRICITY) + altitude) * sine


@inlined
def geodetic(place: Any, values: Any) -> None:
    """Writes a position's latitude and longitude in rad and its altitude above the ellipsoid in m.

    The iteration is from B. R. Bowring, "Transformation from spatial to geographical coordinates"
    (Survey Review 23, 1976); near the surface, the first round is already accurate to 1 mm. The
    altitude formula is from Bowring, "The accuracy of geodetic latitude and height equations"
    (Survey Review 28, 1985), and also holds at the poles.
    """
    distance = math.hypot(place[0], place[1])
    reduced = math.atan2(place[2] * _EQUATOR_M, distance * _POLE_M)
    latitude = 0.0
    for _ in range(_ROUNDS):
        latitude = math.atan2(
            place[2] + _SECOND * _POLE_M * math.sin(reduced) ** 3,
            distance - _ECCENTRICITY * _EQUATOR_M * math.cos(reduced) ** 3,
        )
        reduced = math.atan2(_POLE_M * math.sin(latitude), _EQUATOR_M * math.cos(latitude))
    sine, cosine = math.sin(latitude), math.cos(latitude)
    root = math.sqrt(1.0 - _ECCENTRICITY * sine * sine)
    values[0], values[1] = latitude, math.atan2(place[1], place[0])
    values[2] = distance * cosine + place[2] * sine - _EQUATOR_M * root


@inlined
def set_east_north_up(latitude: float, longitude: float, axes: Any) -> None:
    """Writes the directions east, north and up at a position as the columns of a 3x3 matrix."""
    up, out = math.sin(latitude), math.cos(latitude)
    east, away = math.sin(longitude), math.cos(longitude)
    axes[0, 0], axes[0, 1], axes[0, 2] = -east, -up * away, out * away
    axes[1, 0], axes[1, 1], axes[1, 2] = away, -up * east, out * east
    axes[2, 0], axes[2, 1], axes[2, 2] = 0.0, out, up


@inlined
def standard_pressure(altitude: float) -> Any:
    """Returns the pressure in Pa at an altitude in m above sea level.

    The standard covers -5 km to 86 km. Below this range, the pressure is constant; above it, the
    temperature is constant.
    """
    height = max(altitude, _LOWEST_M)
    height = _RADIUS_M * height / (_RADIUS_M + height)
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
