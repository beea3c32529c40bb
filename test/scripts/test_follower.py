"""The rover follows the walls of its hall, on a plane and without ROS, judged by the geometry."""

from __future__ import annotations

from math import cos, inf, pi, sin

import numpy as np
import pytest
from rover_hall import RADIUS, Hall
from wall_following import Follower, Way, points_of

PERIOD, STEPS = 0.05, 10
SCANNER = -0.1, 0.325
"""Where the scanner is, ahead and above the ground, in m."""
FASTER, TURNS_FASTER = 1.0, 3.0
"""The accelerations of the base in m/s^2 and rad/s^2."""
ANGLES = np.linspace(-pi, pi, 361)


class Rover:
    """A base on a plane, whose velocities change no faster than those of the real one."""

    def __init__(self, hall: Hall, x: float, y: float, heading: float) -> None:
        self.x, self.y, self.heading = x, y, heading
        self._hall, self._speed, self._spin = hall, 0.0, 0.0
        self._random = np.random.default_rng(0)

    def points(self) -> np.ndarray:
        """Returns what its scanner sees, with noise."""
        ahead, height = SCANNER
        x, y = self.x + ahead * cos(self.heading), self.y + ahead * sin(self.heading)
        ranges = self._hall.ranges(x, y, ANGLES + self.heading, height)
        ranges += self._random.normal(0.0, 0.01, len(ranges))
        return ahead + points_of(ranges, ANGLES[0], ANGLES[1] - ANGLES[0], (0.1, 10.0))

    def drive(self, speed: float, spin: float) -> None:
        """Drives for the time until the next scan."""
        step = PERIOD / STEPS
        for _ in range(STEPS):
            self._speed += np.clip(speed - self._speed, -FASTER * step, FASTER * step)
            self._spin += np.clip(spin - self._spin, -TURNS_FASTER * step, TURNS_FASTER * step)
            self.heading += self._spin * step
            self.x += self._speed * cos(self.heading) * step
            self.y += self._speed * sin(self.heading) * step


@pytest.fixture(scope='module')
def hall() -> Hall:
    return Hall()


def follow(rover: Rover, follower: Follower, length: float) -> list[tuple[float, float]]:
    """Returns the places at the times of the scans."""
    way, places = Way(), []
    for number in range(int(length / 0.5 / PERIOD) * 2):
        way.go_on(rover.x, rover.y)
        places.append((rover.x, rover.y))
        if way.length > length:
            return places
        rover.drive(*follower.velocity(number * PERIOD, rover.points()))
    pytest.fail(f'{way.length:.1f} m in {number * PERIOD:.0f} s')


@pytest.mark.slow
@pytest.mark.parametrize(
    ('side', 'heading', 'distance'),
    [('right', 0.0, 0.4), pytest.param('left', pi, 0.5, marks=pytest.mark.nightly)],
    ids=['right', 'left'],
)
def test_it_keeps_its_distance_around_all_corners_of_both_rooms(hall, side, heading, distance):
    places = follow(Rover(hall, -2.2, -1.9, heading), Follower(side, distance), 32.0)
    away = np.array([hall.distance(*place) for place in places])
    assert away.min() > RADIUS + 0.05
    assert away[100:] == pytest.approx(distance, abs=0.1)
    beside = [hall.beside_a_wall(*place) for place in places]
    assert sum(beside) > 100
    assert away[beside] == pytest.approx(distance, abs=0.05)
    rooms = {(x > 1, y > 0) for x, y in places}
    assert len(rooms) == 4, 'it was in both halves of both rooms'


@pytest.mark.parametrize('heading', np.radians([-90, 180]))
def test_it_finds_the_wall_from_any_direction(hall, heading):
    places = follow(Rover(hall, 2.0, -1.6, heading), Follower('right', 0.5), 6.0)
    away = np.array([hall.distance(*place) for place in places])
    assert away.min() > RADIUS + 0.1
    assert away[-100:] == pytest.approx(0.5, abs=0.12)


def test_it_goes_around_a_crate_that_stands_alone(hall):
    places = np.array(follow(Rover(hall, -1.0, 1.1, 0.0), Follower('right', 0.4), 10.0))
    assert np.abs(places - (-1.0, 0.3)).max() < 1.0
    away = np.array([hall.distance(*place) for place in places[100:]])
    assert away == pytest.approx(0.4, abs=0.08)


NOTHING = np.array([], complex)
ALL_AROUND = 0.3 * np.exp(1j * np.radians(np.arange(360)))


@pytest.mark.parametrize(
    ('points', 'said'),
    [
        (NOTHING, 'no wall within 2 m on the side to follow'),
        (np.array([1j, 2 + 0.5j]), 'no wall within 2 m on the side to follow'),
        (ALL_AROUND, r'no free direction with 0\.5 m clearance'),
    ],
)
def test_it_stands_for_two_seconds_without_a_way_and_gives_up(points, said):
    follower = Follower('right', 0.5)
    for time in np.arange(7.0, 9.01, 0.05):
        assert follower.velocity(time, points) == (0.0, 0.0)
    with pytest.raises(RuntimeError, match=said):
        follower.velocity(9.05, points)


def test_what_it_loses_for_a_moment_it_may_find_again():
    follower = Follower('right', 0.5)
    for time in np.arange(0.0, 10.0, 0.05):
        wall = np.array([-0.5j]) if time % 2 < 0.04 else NOTHING
        speed, _ = follower.velocity(time, wall)
        assert (speed > 0) == bool(len(wall))


def test_a_time_that_goes_back_is_told():
    follower = Follower('right', 0.5)
    follower.velocity(1.0, np.array([-0.5j]))
    assert follower.velocity(1.0, np.array([-0.5j]))[0] > 0, 'the same scan comes again'
    with pytest.raises(RuntimeError, match='time jumped back'):
        follower.velocity(0.0, np.array([-0.5j]))


@pytest.mark.parametrize(
    ('side', 'distance', 'said'),
    [
        ('ahead', 0.5, "side must be left or right, got 'ahead'"),
        ('left', 0.3, r'distance must be at least 0\.4 and at most 1 m, got 0\.3'),
        ('left', inf, 'distance must be at least .* got inf'),
    ],
)
def test_what_it_cannot_do_is_refused(side, distance, said):
    with pytest.raises(ValueError, match=said):
        Follower(side, distance)
