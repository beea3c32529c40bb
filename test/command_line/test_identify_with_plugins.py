"""With --plugins, identify fits a model to recorded goals: the robot's controllers are run."""

from __future__ import annotations

import json

import numpy as np
import pytest
import yaml

from mujoco_ros_py.command_line import run

known = pytest.importorskip('known_robot', reason='mcap or rosbags is not installed')
robot = pytest.importorskip('delayed_robot', reason='mcap or rosbags is not installed')
pytest.importorskip('mujoco.sysid', reason='mujoco[sysid] is not installed')
closed_loop = pytest.importorskip('mujoco_ros_py.identification.closed_loop')
models = pytest.importorskip('mujoco_ros_py.identification.adjustable_model')
rollouts = pytest.importorskip('mujoco_ros_py.identification.rollouts')

pytestmark = pytest.mark.slow

CONTROLLER = {**known.CONTROLLER, 'gains': {each: {'p': 60.0, 'd': 6.0} for each in known.JOINTS}}
"""It is soft: stiff control hides the friction."""
PERIOD_S, MOTION_S, LENGTH_S = 1.6, 0.8, 12.8
NOISE, REST = 2e-4, (0.0, 0.0)


def record(folder):
    """Writes a recording of a robot of known values that follows trajectories, with noise."""
    random = np.random.default_rng(0)
    times = np.arange(0.4, LENGTH_S - 1.0, PERIOD_S).tolist()
    targets = [(time, random.uniform(-1.0, 1.0, 2).tolist()) for time in times]
    model = models.AdjustableModel(known.write_model(folder / 'true.xml', known.KNOWN))
    loop = closed_loop.ClosedLoop(model, [CONTROLLER], {known.GOALS: 'arm'}, 0.0)
    goals = tuple(known.goal(time, target, MOTION_S, REST) for time, target in targets)
    part = rollouts.MeasuredPart(begin=0.0, end=LENGTH_S, commands=(), goals=goals)
    still = {'positions': np.zeros(2), 'velocities': np.zeros(2)}
    try:
        (moved,) = loop.run([(rollouts.Variant(model=model.model, **still), part)])
    finally:
        loop.close()
    noisy = moved.positions + random.normal(0.0, NOISE, moved.positions.shape)
    states = [
        (time, robot.joint_state(time, list(known.JOINTS), position))
        for time, position in zip(moved.times[::2].tolist(), noisy[::2], strict=True)
    ]
    sent = [
        (time, robot.trajectory(time, known.JOINTS, target, MOTION_S, REST))
        for time, target in targets
    ]
    robot.write_bag(folder / 'run.mcap', {known.GOALS: sent, known.STATES: states})


def test_goals_give_the_values_of_the_robot(tmp_path):
    record(tmp_path)
    model = known.write_model(tmp_path / 'robot.xml')
    plugins = tmp_path / 'plugins.yaml'
    plugins.write_text(yaml.safe_dump([CONTROLLER]))
    words = ['identify', str(tmp_path / 'run.mcap'), '--model', str(model)]
    given = ['--plugins', str(plugins), '--fit', 'friction', 'armature', 'masses']
    parameters = tmp_path / 'parameters.yaml'
    parameters.write_text('only: [shoulder, elbow, lower]')
    more = ['--parameters', str(parameters), '--max-error', '2', '-o', str(tmp_path / 'twin')]
    assert run([*words, *given, *more]) == 0
    result = json.loads((tmp_path / 'twin/result.json').read_text())
    found = {each['name']: each for each in result['parameters']}
    for name, value in zip(known.NAMES, known.KNOWN, strict=True):
        each = found[name]
        assert each['identifiable'], name
        low, high = each['interval']
        assert each['after'] == pytest.approx(value, abs=high - low), name
        assert high - low < 0.2 * value, name
