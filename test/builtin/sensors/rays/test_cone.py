"""The directions of the rays of a cone."""

from __future__ import annotations

import numpy as np
import pytest

from mujoco_ros_py.builtin.sensors.rays.range_sensor import cone


@pytest.mark.parametrize('samples', [1, 2, 3, 7, 8, 19, 37, 100, 1000])
def test_there_are_as_many_unit_vectors_as_asked_for_and_none_is_outside(samples):
    rays = cone(0.6, samples)
    assert rays.shape == (samples, 3)
    assert np.linalg.norm(rays, axis=1) == pytest.approx(1)
    assert list(rays[0]) == [1, 0, 0]
    assert len({tuple(np.round(ray, 9)) for ray in rays}) == samples
    angles = np.arccos(np.clip(rays[:, 0], -1, 1))
    assert angles.max() <= 0.3 + 1e-9
    assert samples == 1 or angles.max() == pytest.approx(0.3)


def test_the_rays_are_evenly_spread_over_the_cone():
    """Every direction in the cone is closer to a ray than the rings are to each other."""
    rays, generator = cone(1.0, 37), np.random.default_rng(1)
    away, about = 0.5 * np.sqrt(generator.random(5000)), 2 * np.pi * generator.random(5000)
    inside = np.stack(
        [np.cos(away), np.sin(away) * np.cos(about), np.sin(away) * np.sin(about)], axis=1
    )
    nearest = np.arccos(np.clip((inside @ rays.T).max(axis=1), -1, 1))
    assert nearest.max() < 0.5 / 3 * 0.75


def test_half_a_turn_is_the_widest_cone():
    assert cone(np.pi, 37)[:, 0].min() == pytest.approx(0)
