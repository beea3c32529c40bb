from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.mujoco(model=ROOT / 'robot.xml', plugins=ROOT / 'plugins.yaml')


def test_the_base_drives_at_the_commanded_speed(server):
    server.step(100)  # let the robot settle on its wheels
    server.command('base', linear_x=0.3)
    state = server.step(200)  # 0.4 s; the controller stops 0.5 s after the last command
    assert state.body('base_link').linear_velocity[0] == pytest.approx(0.3, abs=0.02)


def test_a_storm_from_the_left_does_not_move_the_base(server):
    before = server.step(500).body('base_link').position
    server.configure('wind', speed=10.0, direction=-1.57)
    after = server.step(1000).body('base_link').position
    assert after == pytest.approx(before, abs=0.01)
