"""Goals are simulated with the plugins that follow them."""

from __future__ import annotations

import numpy as np
import pytest

known = pytest.importorskip('known_robot', reason='mcap or rosbags is not installed')
pytest.importorskip('mujoco.sysid', reason='mujoco[sysid] is not installed')
closed_loop = pytest.importorskip('mujoco_ros_py.identification.closed_loop')
models = pytest.importorskip('mujoco_ros_py.identification.adjustable_model')
rollouts = pytest.importorskip('mujoco_ros_py.identification.rollouts')
sequences = pytest.importorskip('mujoco_ros_py.identification.sequences')


def test_positions_velocities_and_sensors_have_a_row_for_each_step(tmp_path):
    model = models.AdjustableModel(known.write_model(tmp_path / 'robot.xml'))
    model.add_sensors([
        sequences.Source(quantity='effort', name='elbow'),
        sequences.Source(quantity='gyro', name='tip'),
    ])  # fmt: skip
    loop = closed_loop.ClosedLoop(model, [known.CONTROLLER], {known.GOALS: 'arm'}, 0.0)
    goals = known.goal(1.1, [0.3, -0.4]), known.goal(1.6, [0.0, 0.5])
    part = rollouts.MeasuredPart(begin=1.0, end=2.2, commands=(), goals=goals)
    still = {'positions': np.zeros(2), 'velocities': np.zeros(2)}
    try:
        (found,) = loop.run([(rollouts.Variant(model=model.model, **still), part)])
    finally:
        loop.close()
    steps = round(1.2 / model.model.opt.timestep)
    assert found.times[[0, -1]] == pytest.approx([1.0, 2.2])
    for each, rows in (
        (found.times, steps + 1), (found.positions, steps + 1), (found.velocities, steps + 1),
        (found.sensors, steps),
    ):  # fmt: skip
        assert len(each) == rows
    slopes = np.gradient(found.positions, found.times, axis=0)
    assert np.mean(np.abs(slopes - found.velocities)) < 0.02
    assert np.max(np.abs(found.velocities)) > 0.5
    assert (np.ptp(found.sensors, axis=0)[[0, 2]] > 0.1).all()
