"""Known delays are found in recordings of simulated robots."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from mujoco_ros_py.errors import RecordingError
from mujoco_ros_py.recording import MessageType, RecordedRun, RecordingFile
from mujoco_ros_py.recording.latency import Question, estimate_latency
from mujoco_ros_py.recording.latency.estimate import Estimate
from mujoco_ros_py.recording.latency.onsets import Delays

robot = pytest.importorskip('delayed_robot', reason='mcap or rosbags is not installed')
RECORDINGS = 60
DRAWS = {
    'constant': (0.012, lambda random, count: np.full(count, 0.012)),
    'normal': (0.02, lambda random, count: np.maximum(random.normal(0.02, 0.004, count), 0.0)),
    'gamma': (0.013, lambda random, count: 0.004 + random.gamma(3.0, 0.003, count)),
}


def estimate(path, **options):
    asked = {'commands': robot.COMMANDS, 'states': robot.STATES, **options}
    with RecordedRun(path) as run:
        return estimate_latency(run, Question(**asked))


def of_run(tmp_path, run, **options):
    return estimate(robot.write_run(tmp_path / 'run.mcap', run), command_field='1', **options)


def fewest(trials: int, chance: float = 0.95, risk: float = 0.001) -> int:
    """The fewest successes that a binomial distribution has, but for a small risk."""
    below = 0.0
    for count in range(trials + 1):
        logarithm = math.lgamma(trials + 1) - math.lgamma(count + 1)
        logarithm += count * math.log(chance) + (trials - count) * math.log(1.0 - chance)
        below += math.exp(logarithm - math.lgamma(trials - count + 1))
        if below > risk:
            return count
    return trials


@pytest.mark.slow
@pytest.mark.parametrize(
    ('name', 'kind'), [('constant', 'first'), ('normal', 'second'), ('gamma', 'first')]
)
def test_the_mean_is_in_its_interval_in_19_of_20_recordings(tmp_path, name, kind):
    true, draw = DRAWS[name]
    more = {'noise': 0.0003, 'quantum': 0.001} if kind == 'second' else {}
    inside = 0
    for seed in range(RECORDINGS):
        random = np.random.default_rng(seed)
        run = robot.steps(random, draw(random, 60), kind=kind, **more)
        found = of_run(tmp_path, run)
        mean, low, high = found.mean
        assert abs(mean - np.mean(run.delays)) < 0.001, seed
        assert found.stddev[0] == pytest.approx(np.std(run.delays), abs=0.0003), seed
        assert high - low < 0.006, seed
        inside += low <= true <= high
    assert inside >= fewest(RECORDINGS)


@pytest.mark.parametrize('count', [8, 12, 30, 100])
def test_the_interval_of_few_delays_has_its_confidence_too(count):
    trials, true = 10_000, 0.02
    random, inside = np.random.default_rng(count), 0
    for values in random.normal(true, 0.004, (trials, count)):
        estimate = of_delays(values)
        inside += estimate.mean[1] <= true <= estimate.mean[2]
    assert fewest(trials) <= inside <= trials - fewest(trials, 0.05)


def of_delays(values) -> Estimate:
    """An estimate from delays that are measured without errors."""
    nothing: Any = None
    delays = Delays(values=values, noise=0.0, common=0.0, least=0.0)
    return Estimate(
        commands=nothing, states=nothing, method='onset', delays=delays, fit=nothing, unseen=0
    )


def test_a_constant_delay_is_found_whatever_the_dynamics(tmp_path):
    for kind, exact in (('first', 0.0003), ('second', 0.001), ('none', 0.001)):
        run = robot.steps(np.random.default_rng(1), np.full(20, 0.0234), kind=kind, noise=0.0005)
        found = of_run(tmp_path, run)
        assert (found.method, found.fit.name) == ('onset', 'constant')
        assert found.fit.latency == pytest.approx(0.0234, abs=exact)
        assert found.mean[1] <= 0.0234 <= found.mean[2]


@pytest.mark.parametrize('delay', [0.003, 0.0125, 0.2])
def test_a_command_that_changes_all_the_time_is_correlated(tmp_path, delay):
    found = of_run(tmp_path, robot.wave(np.random.default_rng(4), delay))
    assert (found.method, found.fit.name) == ('correlation', 'constant')
    assert found.mean[0] == pytest.approx(delay, abs=0.001)
    assert found.mean[1] <= delay <= found.mean[2]


def test_from_onset_uses_the_starts_of_motions_of_a_stream_of_commands(tmp_path):
    delay, tau = 0.02, 0.05
    command_times = np.arange(0.0, 20.0, 0.01)
    phase = command_times % 1.5
    commands = np.minimum(phase, 0.5) * np.where(command_times % 3.0 < 1.5, 1.0, -1.0) * 2.0
    commands = np.cumsum(np.where(phase < 0.3, np.sign(commands), 0.0)) * 0.01
    state_times = np.arange(0.0, 20.0, 0.002)
    held = commands[
        np.maximum(np.searchsorted(command_times, state_times - delay, 'right') - 1, 0)
    ]
    states = np.zeros(len(held))
    for k in range(1, len(held)):
        states[k] = states[k - 1] + 0.002 / tau * (held[k - 1] - states[k - 1])
    run = robot.Run(
        command_times=command_times, commands=commands, state_times=state_times, states=states
    )
    correlated = of_run(tmp_path, run)
    assert correlated.method == 'correlation'
    assert correlated.mean[0] > delay + 0.1 * tau, 'the phase of the robot'
    onset = of_run(tmp_path, run, from_onset=True)
    assert onset.method == 'onset'
    assert onset.mean[0] == pytest.approx(delay, abs=0.01), 'a period of the commands'
    assert onset.mean[1] <= delay <= onset.mean[2]


def stepped(**more):
    return robot.steps(np.random.default_rng(2), np.full(15, 0.015), noise=0.0005, **more)


def pairs(times, values, make):
    return [(time, make(time, value)) for time, value in zip(times, values, strict=True)]


def test_trajectories_and_joint_states_can_be_commands_of_one_of_several_joints(tmp_path):
    run = stepped()
    states = pairs(
        run.state_times, run.states,
        lambda time, value: robot.joint_state(time, ['a', 'elbow'], [0.0, 0.0], [0.0, value]),
    )  # fmt: skip
    for make in (
        lambda time, value: robot.trajectory(time, 'elbow', value),
        lambda time, value: robot.joint_state(time, ['elbow', 'a'], [], [value, 0.0]),
    ):
        commands = pairs(run.command_times, run.commands, make)
        path = robot.write_bag(tmp_path / 'run.mcap', {'/goals': commands, '/states': states})
        found = estimate(
            path, commands='/goals', states='/states', joint='elbow', state='velocity'
        )
        assert found.mean[0] == pytest.approx(0.015, abs=0.0005)
        assert found.states.what == 'velocity of elbow'


def test_twists_are_compared_with_the_same_field_of_the_odometry(tmp_path):
    run = stepped()
    path = robot.write_bag(
        tmp_path / 'run.mcap',
        {
            '/cmd_vel': pairs(
                run.command_times, run.commands, lambda _, value: robot.twist(value)
            ),
            '/odom': pairs(run.state_times, run.states, robot.odometry),
        },
    )
    found = estimate(path, commands='/cmd_vel', states='/odom', command_field='angular.x')
    assert found.states.what == 'angular.x'
    assert found.mean[0] == pytest.approx(0.015, abs=0.0005)


def test_stamps_exclude_the_delay_of_the_states(tmp_path):
    run = stepped()
    run.state_times[0] = 0.0
    shifts = [robot.BEGIN_S, *[0] * (len(run.states) - 1)]
    path = robot.write_bag(
        tmp_path / 'run.mcap',
        {
            '/goals': pairs(
                run.command_times, run.commands,
                lambda time, value: robot.trajectory(time, 'elbow', value),
            ),
            '/states': [
                (time + 0.007, robot.joint_state(time, ['elbow'], [value]))
                for time, value in zip(run.state_times, run.states, strict=True)
            ],
            '/states_from_0': [
                (time + 0.007, robot.joint_state(time - shift, ['elbow'], [value]))
                for shift, time, value in zip(shifts, run.state_times, run.states, strict=True)
            ],
        },
    )  # fmt: skip
    received = estimate(path, commands='/goals', states='/states')
    stamped = estimate(path, commands='/goals', states='/states', clock='stamp')
    assert received.mean[0] == pytest.approx(0.022, abs=0.0005)
    assert received.states.age == pytest.approx(0.007, abs=1e-6)
    assert stamped.mean[0] == pytest.approx(0.015, abs=0.0005)
    zero = estimate(path, commands='/goals', states='/states_from_0', clock='stamp')
    assert zero.mean == pytest.approx(stamped.mean, abs=1e-4), 'the stamp 0 of a simulation'


def test_recordings_of_a_server_have_simulated_receive_times(tmp_path):
    run, path = stepped(), tmp_path / 'run.mcap'
    file = RecordingFile(path)
    file.describe('versions', {'mujoco_ros_py': '1.0.0'})
    rows = pairs(run.command_times, run.commands, lambda _, value: robot.array([value]))
    rows += pairs(
        run.state_times, run.states, lambda time, value: robot.joint_state(time, ['e'], [value])
    )
    for wall, (time, message) in enumerate(sorted(rows, key=lambda row: row[0])):
        kind = message.__msgtype__
        topic = robot.STATES if 'JointState' in kind else robot.COMMANDS
        channel = file.channel(topic, MessageType(name=kind, definition=''))
        data = bytes(robot.TYPES.serialize_cdr(message, kind))
        file.add(channel, data, 10**18 + wall, round(time * 1e9))
    file.close()
    assert estimate(path).mean[0] == pytest.approx(0.015, abs=0.0005)


def test_changes_without_a_response_are_counted(tmp_path):
    run = stepped()
    lost = (run.state_times > run.command_times[6]) & (run.state_times < run.command_times[7])
    run.states[lost] = np.median(run.states[run.state_times < run.command_times[6]][-5:])
    assert of_run(tmp_path, run).unseen == 1


def test_states_that_move_before_the_command_are_an_error(tmp_path):
    run = stepped()
    run.command_times = run.command_times + 0.03
    with pytest.raises(RecordingError, match='/joint_states moves before /arm/commands'):
        of_run(tmp_path, run)


def test_missing_states_at_an_onset_skip_this_change(tmp_path):
    run = stepped()
    gap = np.abs(run.state_times - run.command_times[5] - 0.02) < 0.02
    run.state_times, run.states = run.state_times[~gap], run.states[~gap]
    found = of_run(tmp_path, run)
    assert (found.unseen, len(found.delays.values)) == (1, 14)
    assert found.mean[0] == pytest.approx(0.015, abs=0.0005)


def test_states_that_do_not_follow_give_no_estimate_but_an_error(tmp_path):
    random = np.random.default_rng(3)
    run = robot.wave(random, 0.01)
    run.states = random.normal(0.0, 1.0, len(run.states))
    with pytest.raises(RecordingError, match='the states follow the command in 0 windows'):
        of_run(tmp_path, run)
