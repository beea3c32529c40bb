"""The standard atmosphere, against its published tables."""

from __future__ import annotations

import pytest

from mujoco_ros_py.builtin.sensors.compound.atmosphere import standard_pressure

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
"""The same by the geometric altitude."""


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
