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
sequences = pytest.importorskip('mujoco_ros_py.identification.sequences')

pytestmark = pytest.mark.slow

TOPIC = '/arm/joint_trajectory'
CONTROLLER = {
    'type': 'mujoco_ros_py/JointTrajectoryController', 'name': 'arm', 'joints': [*known.JOINTS],
    'gains': {joint: {'p': 60.0, 'd': 6.0} for joint in known.JOINTS},
}  # fmt: skip
PERIOD_S, MOTION_S, LENGTH_S = 1.6, 0.8, 12.8
NOISE = 2e-4


def trajectory(target):
    """A trajectory as the fields of the message, and as the message of a recording."""
    zeros = [0.0, 0.0]
    duration = {'sec': 0, 'nanosec': round(MOTION_S * 1e9)}
    point = {'positions': target, 'velocities': zeros, 'accelerations': [], 'effort': []}
    types = robot.TYPES.types
    fields = {name: np.array(each, float) for name, each in point.items()}
    made = types['trajectory_msgs/msg/JointTrajectoryPoint'](
        **fields, time_from_start=types['builtin_interfaces/msg/Duration'](**duration)
    )
    header = types['std_msgs/msg/Header'](
        stamp=types['builtin_interfaces/msg/Time'](sec=0, nanosec=0), frame_id=''
    )
    message = types['trajectory_msgs/msg/JointTrajectory'](
        header=header, joint_names=[*known.JOINTS], points=[made]
    )
    points = [{**point, 'time_from_start': duration}]
    return {'joint_names': [*known.JOINTS], 'points': points}, message


def record(folder):
    """Writes a recording of a robot of known values that follows trajectories, with noise."""
    random = np.random.default_rng(0)
    times = np.arange(0.4, LENGTH_S - 1.0, PERIOD_S)
    goals = [(float(time), *trajectory(random.uniform(-1.0, 1.0, 2).tolist())) for time in times]
    model = models.AdjustableModel(known.write_model(folder / 'true.xml', known.KNOWN))
    loop = closed_loop.ClosedLoop(model, [CONTROLLER], {TOPIC: 'arm'}, 0.0)
    kind = 'trajectory_msgs/JointTrajectory'
    given = tuple(
        sequences.Goal(time=time, topic=TOPIC, kind=kind, message=each) for time, each, _ in goals
    )
    part = rollouts.MeasuredPart(begin=0.0, end=LENGTH_S, commands=(), goals=given)
    still = {'positions': np.zeros(2), 'velocities': np.zeros(2)}
    try:
        (moved,) = loop.run([(rollouts.Variant(model=model.model, **still), part)])
    finally:
        loop.close()
    states = [
        (
            float(time),
            robot.joint_state(time, list(known.JOINTS), q + random.normal(0.0, NOISE, 2)),
        )
        for time, q in zip(moved.times[::2], moved.positions[::2], strict=True)
    ]
    messages = {TOPIC: [(time, message) for time, _, message in goals], known.STATES: states}
    robot.write_bag(folder / 'run.mcap', messages)


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
