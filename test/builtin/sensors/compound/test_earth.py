"""Places on the ellipsoid and the standard atmosphere, against published numbers.

Places are compared with an independent solution too.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from mujoco_ros_py.builtin.sensors.compound.earth import (
    geodetic,
    place_at,
    set_east_north_up,
    standard_pressure,
)

A, F = 6378137.0, 1 / 298.257223563
EARTH_M = 6356766.0
BY_GEOPOTENTIAL = {
    0: 101325.0, 1_000: 89874.6, 5_000: 54019.9, 11_000: 22632.1, 20_000: 5474.89, 32_000: 868.019,
    47_000: 110.906, 51_000: 66.9389, 71_000: 3.95642, 84_852: 0.3734,
}  # fmt: skip
"""The pressure in Pa by the geopotential altitude in m (U.S. Standard Atmosphere, 1976)."""
BY_GEOMETRIC = {
    -1_000: 113929.0, 1_000: 89876.0, 5_000: 54048.0, 10_000: 26500.0, 20_000: 5529.3,
    30_000: 1197.0, 50_000: 79.78, 80_000: 1.0524,
}  # fmt: skip
"""The pressure in Pa by the geometric altitude in m."""


def place(latitude: float, longitude: float, altitude: float = 0.0) -> np.ndarray:
    """Returns the place at angles in degrees."""
    result = np.empty(3)
    place_at(math.radians(latitude), math.radians(longitude), altitude, result)
    return result


def located(at: np.ndarray) -> np.ndarray:
    """Returns latitude and longitude in degrees, and the altitude."""
    values = np.empty(3)
    geodetic(at, values)
    return np.array([math.degrees(values[0]), math.degrees(values[1]), values[2]])


def solved(at: np.ndarray) -> np.ndarray:
    """Computes the result of `located` independently, by bisection of the latitude."""
    across, up = math.hypot(at[0], at[1]), float(at[2])
    e2 = F * (2 - F)

    def beside(latitude: float) -> float:
        """Returns how far north of the normal at a latitude the place is."""
        normal = A / math.sqrt(1 - e2 * math.sin(latitude) ** 2)
        return (up + e2 * normal * math.sin(latitude)) * math.cos(latitude) - across * math.sin(
            latitude
        )

    low, high = -math.pi / 2, math.pi / 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if beside(middle) > 0 else (low, middle)
    normal = A / math.sqrt(1 - e2 * math.sin(low) ** 2)
    foot = np.array([normal * math.cos(low), normal * (1 - e2) * math.sin(low)])
    away = np.array([across, up]) - foot
    outwards = np.array([math.cos(low), math.sin(low)])
    return np.array([math.degrees(low), math.degrees(math.atan2(at[1], at[0])), away @ outwards])


def test_a_published_point_is_met_in_both_directions():
    """The example of the conversion in guidance note 7-2 of the IOGP (EPSG method 9602)."""
    latitude, longitude = 53 + 48 / 60 + 33.820 / 3600, 2 + 7 / 60 + 46.380 / 3600
    at = np.array([3771793.968, 140253.342, 5124304.349])
    assert place(latitude, longitude, 73.0) == pytest.approx(at, abs=2e-2)
    assert located(at)[:2] == pytest.approx([latitude, longitude], abs=2e-7)
    assert located(at)[2] == pytest.approx(73.0, abs=2e-2)


def test_the_axes_of_the_ellipsoid_are_those_of_wgs_84():
    assert place(0, 0) == pytest.approx([6378137.0, 0, 0])
    assert place(0, 90) == pytest.approx([0, 6378137.0, 0], abs=1e-8)
    assert place(90, 0) == pytest.approx([0, 0, 6356752.314245], abs=1e-6)


@pytest.mark.parametrize(
    ('south', 'north', 'length'),
    [(-0.5, 0.5, 110574), (44.5, 45.5, 111132), (89.0, 90.0, 111694), (0.0, 90.0, 10001965.729)],
)
def test_arcs_of_a_meridian_have_their_published_lengths(south, north, length):
    points = np.array([place(latitude, 30.0) for latitude in np.linspace(south, north, 5_001)])
    arc = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
    assert arc == pytest.approx(length, abs=0.5)


@pytest.mark.parametrize('altitude', [-1e4, 0.0, 500.0, 1e5, 1e6])
def test_every_place_is_found_again_to_a_thousandth_of_a_millimetre(altitude):
    for latitude in (-90, -89.999999, -60, -1e-7, 0, 30, 45, 72.5, 89.9999, 90):
        for longitude in (-179.9, -90, 0, 1e-6, 45, 180):
            at = place(latitude, longitude, altitude)
            assert np.linalg.norm(place(*located(at)) - at) < 1e-6
            assert located(at)[0] == pytest.approx(latitude, abs=1e-11)
            assert located(at)[2] == pytest.approx(altitude, abs=1e-6)


@pytest.mark.parametrize('latitude', [-90.0, -33.0, 0.0, 47.0, 90.0])
def test_a_place_up_to_a_thousand_kilometres_away_agrees_with_another_solution(latitude):
    axes = np.empty((3, 3))
    set_east_north_up(math.radians(latitude), math.radians(11.0), axes)
    for offset in ((1e6, 0, 0), (0, -1e6, 0), (-7e5, 7e5, 3e3), (1, 2, -5e3), (0, 0, 1e6)):
        at = place(latitude, 11.0, 100.0) + axes @ np.array(offset, float)
        found, expected = located(at), solved(at)
        assert found[2] == pytest.approx(expected[2], abs=1e-4)
        assert np.linalg.norm(place(*found) - at) < 1e-6
        assert found[0] == pytest.approx(expected[0], abs=1e-9)


def test_the_axes_are_east_north_and_up():
    axes = np.empty((3, 3))
    set_east_north_up(math.radians(40), math.radians(20), axes)
    here, step = place(40, 20), 1e-6
    moved = [place(40, 20 + step), place(40 + step, 20), place(40, 20, 1.0)]
    for column, there in enumerate(moved):
        direction = (there - here) / np.linalg.norm(there - here)
        assert axes[:, column] == pytest.approx(direction, abs=1e-6)
    assert axes.T @ axes == pytest.approx(np.eye(3))


@pytest.mark.parametrize(('height', 'pressure'), BY_GEOPOTENTIAL.items())
def test_the_pressure_at_the_limits_of_the_layers_is_that_of_the_standard(height, pressure):
    altitude = EARTH_M * height / (EARTH_M - height)
    assert standard_pressure(altitude) == pytest.approx(pressure, rel=2e-5, abs=5e-5)


@pytest.mark.parametrize(('altitude', 'pressure'), BY_GEOMETRIC.items())
def test_the_pressure_by_the_altitude_is_that_of_the_table(altitude, pressure):
    assert standard_pressure(altitude) == pytest.approx(pressure, rel=1e-4)


def test_below_and_above_the_standard_the_pressure_stays_finite():
    assert standard_pressure(-1e9) == standard_pressure(-5000.0)
    assert 0 <= standard_pressure(1e9) < standard_pressure(86_000.0) < 0.4
