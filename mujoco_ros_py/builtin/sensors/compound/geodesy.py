"""Compiled: places on the ellipsoid WGS 84.

A place is three numbers in m: the coordinates x, y and z that are fixed to the earth (ECEF), in
which the z axis points to the north pole and the x axis to the meridian of Greenwich.
"""

from __future__ import annotations

import math
from typing import Any

from ....plugins.compiled_code import inlined

_EQUATOR_M, _FLATTENING = 6378137.0, 1.0 / 298.257223563
_POLE_M = _EQUATOR_M * (1.0 - _FLATTENING)
_ECCENTRICITY = _FLATTENING * (2.0 - _FLATTENING)
"""The square of the eccentricity."""
_SECOND = _ECCENTRICITY / (1.0 - _ECCENTRICITY)
"""The square of the second eccentricity."""
_ROUNDS = 4


@inlined
def place_at(latitude: float, longitude: float, altitude: float, place: Any) -> None:
    """Writes the place at a latitude and longitude in rad, and an altitude above the ellipsoid."""
    sine, cosine = math.sin(latitude), math.cos(latitude)
    normal = _EQUATOR_M / math.sqrt(1.0 - _ECCENTRICITY * sine * sine)
    place[0] = (normal + altitude) * cosine * math.cos(longitude)
    place[1] = (normal + altitude) * cosine * math.sin(longitude)
    place[2] = (normal * (1.0 - _ECCENTRICITY) + altitude) * sine


@inlined
def geodetic(place: Any, values: Any) -> None:
    """Writes latitude and longitude in rad, and the altitude above the ellipsoid in m, of a place.

    The iteration is that of B. R. Bowring, "Transformation from spatial to geographical
    coordinates" (Survey Review 23, 1976): the first round leaves less than 1 mm near the surface
    already. The altitude is that of his "The accuracy of geodetic latitude and height equations"
    (Survey Review 28, 1985), which holds at the poles too.
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
    """Writes the directions east, north and up at a place, each a column of a 3 x 3 matrix."""
    up, out = math.sin(latitude), math.cos(latitude)
    east, away = math.sin(longitude), math.cos(longitude)
    axes[0, 0], axes[0, 1], axes[0, 2] = -east, -up * away, out * away
    axes[1, 0], axes[1, 1], axes[1, 2] = away, -up * east, out * east
    axes[2, 0], axes[2, 1], axes[2, 2] = 0.0, out, up
