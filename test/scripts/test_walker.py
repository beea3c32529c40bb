"""The quadruped walks in plain MuJoCo, judged by the truth."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest
from quadruped import Walker

from .simulated_quadruped import World, measured, simulation, walk


@pytest.mark.slow
@pytest.mark.parametrize(
    ('speed', 'friction', 'payload_kg'),
    [
        (0.3, 1.0, 1.0),
        (0.5, 0.6, 0.0),
        pytest.param(0.3, 0.6, 0.0, marks=pytest.mark.nightly),
        pytest.param(0.5, 1.0, 1.0, marks=pytest.mark.nightly),
    ],
)
def test_it_walks_straight_ahead_and_stands(speed, friction, payload_kg):
    world = World(friction=friction, payload_kg=payload_kg)
    way = walk(Walker(3.0, speed), world)
    assert way.x == pytest.approx(3.0, rel=0.08)
    assert way.farthest_aside < 0.05 * 3.0
    assert way.tilt < 0.15
    assert way.turned < 0.05


@pytest.mark.slow
def test_it_walks_back_and_in_any_direction():
    way = walk(Walker(-1.0, 0.3), World(heading=2.5))
    assert way.x == pytest.approx(-1.0, rel=0.1)
    assert way.farthest_aside < 0.05


@pytest.mark.slow
def test_a_push_from_the_side_does_not_make_it_fall():
    way = walk(Walker(1.2, 0.4), World(push_n=40.0))
    assert way.tilt > 0.1, 'the push was felt'
    assert way.farthest_aside < 0.1
    assert way.x == pytest.approx(1.2, rel=0.08)


@pytest.mark.slow
def test_noise_of_the_sensors_hardly_changes_its_way():
    loud = walk(Walker(1.0, 0.4), World(noise=2.0, seed=1))
    silent = walk(Walker(1.0, 0.4), World(noise=0.0))
    assert loud != silent
    assert (loud.x, loud.y) == pytest.approx((silent.x, silent.y), abs=0.05)


def test_it_steps_in_place_and_stands_without_drift():
    way = walk(Walker(0.0, 0.4), World())
    assert abs(way.x) < 0.005
    assert way.farthest_aside < 0.005


def test_the_posture_home_stands():
    model, data = simulation(World())
    mujoco.mj_resetDataKeyframe(model, data, model.key('home').id)
    mujoco.mj_step(model, data, 1000)
    assert data.body('base_link').xpos[2] > 0.27
    assert abs(data.qvel).max() < 0.01


@pytest.fixture
def now():
    model, data = simulation(World())
    mujoco.mj_forward(model, data)
    return measured(data, 0.0, np.random.default_rng(0))


def test_it_tells_that_it_has_fallen(now):
    with pytest.raises(RuntimeError, match='fell over: roll 1'):
        Walker(1.0, 0.4).step(replace(now, roll=1.0))


def test_it_tells_that_a_foot_bears_nothing(now):
    walker = Walker(1.0, 0.4)
    light = replace(now, forces=(0.0, 30.0, 30.0, 30.0))
    for time in 0.0, 1.6, 1.7:
        walker.step(replace(light, time=time))
    assert walker.phase == 'get ready'
    with pytest.raises(RuntimeError, match=r'the foot forces are 0, 30, 30, 30 N'):
        walker.step(replace(light, time=4.0))


@pytest.mark.parametrize('speed', [0.0, -0.1, 0.7])
def test_a_speed_that_it_cannot_walk_is_refused(speed):
    with pytest.raises(ValueError, match=r'speed must be > 0 and at most 0\.6 m/s, got'):
        Walker(1.0, speed)
