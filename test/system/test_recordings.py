"""A server is recorded and killed; its file is read, verified and played to topics."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing

import pytest
from deadline import DEADLINE_S
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState

from mujoco_ros_py.errors import RecordingError
from mujoco_ros_py.recording import RecordedRun
from mujoco_ros_py.recording.playback import moment_at, verify
from mujoco_ros_py.simulation import read_state

from .example_robots import robots
from .example_robots import run as walk
from .harness import Client, Process, free_domain, running_server, seconds, wait_until

pytest.importorskip('mcap', reason='the extra `recording` is not installed')
pytestmark = pytest.mark.slow

MODEL = 'package://mujoco_ros_py/examples/pendulum.xml'
PLUGINS = """
- {{type: mujoco_ros_py/JointController, name: holder, joints: [hinge], stiffness: 5.0}}
- {{type: mujoco_ros_py/Recorder, file: {file}, topics: ['/joint*', '/holder/*'],
   chunk_period: 0.1, save_period: 0.05}}
"""


FREE_S = 0.3
"""The simulated time before the first command, at least."""
AFTER_S = 0.05
"""The simulated time after the last command, at least."""


def messages(path, topic='/joint_states'):
    with RecordedRun(path) as run:
        return [each for each in run.messages() if each.topic.name == topic]


def has_state(path, time_s):
    with RecordedRun(path) as run:
        try:
            moment_at(run, time_s)
        except RecordingError:
            return False
        return True


def send(commands, path, position):
    """Sends a command until it is in the recording; the first message may be lost."""
    recorded, sent_s = len(messages(path, '/holder/joint_commands')), 0.0

    def arrives():
        nonlocal sent_s
        if time.monotonic() > sent_s + 5.0:
            sent_s = time.monotonic()
            commands.publish(JointState(name=['hinge'], position=[position]))
        return len(messages(path, '/holder/joint_commands')) > recorded

    wait_until(arrives, 'the command in the file')


@pytest.fixture(scope='module')
def killed(tmp_path_factory):
    """The recording of a server that was commanded, and killed while it ran."""
    folder = tmp_path_factory.mktemp('recorded')
    path = folder / 'run.mcap'
    plugins = PLUGINS.format(file=path)
    hinge = {'initial_joint_positions.joint_map.hinge': 1.0}
    rates = {'joint_states_rate': 200.0, 'spawnables': ['*.xml', 'no: "name"'], 'worlds': []}
    given = {
        'modelfile': MODEL,
        'MujocoPlugins': plugins,
        'admin_hash': 'secret',
        **hinge,
        **rates,
    }
    with free_domain() as domain, running_server(folder, domain, given) as (process, client):
        commands = client.node.create_publisher(JointState, '/holder/joint_commands', 10)
        wait_until(commands.get_subscription_count, 'the holder')
        wait_until(path.exists, 'the file')
        wait_until(lambda: [m for m in messages(path) if m.time_ns > FREE_S * 1e9], 'messages')
        for position in (0.5, -0.5):
            before = len(messages(path))
            send(commands, path, position)
            wait_until(lambda n=before: len(messages(path)) > n + 20, 'messages in the file')
        end_s = messages(path, '/holder/joint_commands')[-1].time_ns / 1e9 + AFTER_S
        wait_until(lambda: has_state(path, end_s), 'a state after the command')
        process.signal(signal.SIGKILL)
        process.wait()
    return path


def test_the_recording_of_a_killed_server_repeats_to_the_bit(killed):
    with RecordedRun(killed) as run:
        comparison = verify(run)
        assert comparison.states > 100
        assert (comparison.different, comparison.gaps) == (0, 0)
        assert not run.complete
        assert 'it was not closed' in run.problems[0] or 'cut off' in run.problems[0]
        assert run.about['parameters']['modelfile'] == f'"{MODEL}"'
        assert 'admin_hash' not in run.about['parameters']
        section = run.sections[0]
    assert [each['name'] for each in section.plugins][1:3] == ['holder', 'recorder']


@pytest.mark.nightly
def test_the_walk_of_the_quadruped_repeats_to_the_bit(tmp_path, domain):
    path = tmp_path / 'run.mcap'
    names = 'legs, imu, sensors, truth, transforms, recorder'
    parameters = {
        'MujocoPlugins.names': f'[{names}]',
        'MujocoPlugins.recorder.type': 'mujoco_ros_py/Recorder',
        'MujocoPlugins.recorder.file': str(path),
        'lockstep_period': '0.004',
        'lockstep_topics': '[/joint_commands]',
        'lockstep_timeout': '0.0',
        'realtime': '-1.0',
    }
    with robots(domain) as robot:
        client = robot('quadruped.yaml', *(f'{name}:={each}' for name, each in parameters.items()))
        assert client.trigger('reset').success
        assert client.pause(False).success, 'its state is repeated until a command comes'
        walk('walk', client, '--ros-args', '-p', 'distance:=1.0', '-p', 'speed:=0.5')
        assert client.trigger('shutdown').success
        wait_until(lambda: closed(path), 'the end of the file')
    with RecordedRun(path) as run:
        comparison = verify(run)
        assert run.problems == []
    assert comparison.states > 2000
    assert (comparison.different, comparison.gaps) == (0, 0)


def closed(path):
    """Whether the server has ended the file."""
    with RecordedRun(path) as run:
        return run.complete


def test_the_topics_of_a_recording_are_played_with_a_clock(killed, start, domain):
    recorded = messages(killed)
    assert {each.topic.kind for each in recorded} == {'sensor_msgs/msg/JointState'}
    _, client = start({'unpause': False, 'joint_states_rate': 0.0})
    states = client.collect(JointState, '/joint_states')
    clock = client.collect(Clock, '/clock', reliable=False)
    words = ['replay', str(killed), '--rate', '5', '--wait-for-subscribers', '--topics', '/joint*']
    process = Process('mujoco_ros_py', words, domain, copied=True)
    assert process.wait() == 0, process.output
    assert f'{len(recorded)} messages played' in process.output
    wait_until(lambda: len(states) >= len(recorded), 'the messages', process=process)
    assert all(each.name == ['hinge'] for each in states)
    times = [seconds(each.header.stamp) for each in states]
    assert times == sorted(times)
    # A subscriber of the clock may be found when the first round is over.
    process = Process('mujoco_ros_py', [*words, '--loop'], domain, copied=True)
    try:
        wait_until(
            lambda: max((seconds(each.clock) for each in clock), default=0.0) >= times[-1] - 0.1,
            'the clock', process=process,
        )  # fmt: skip
    finally:
        process.end()


def test_a_server_goes_on_from_a_moment_as_the_run_did(killed, domain):
    srv = pytest.importorskip('mujoco_ros_py_interfaces.srv', reason='it was not built')

    def state(client):
        answer = client.call(srv.GetState, 'get_state', srv.GetState.Request())
        return read_state(bytes(answer.state.data))

    with RecordedRun(killed) as run:
        begin = next(saved for saved in run.saved_states())
        assert begin.time < FREE_S - 0.1, 'no command has come by then'
        before, after = (moment_at(run, begin.time + dt).state for dt in (0.0, 0.1))
    arguments = ['replay', str(killed), '--continue-at', str(begin.time), '--ros-args']
    process = Process('mujoco_ros_py', [*arguments, '-p', 'unpause:=false'], domain, copied=True)
    try:
        process.wait_for_output(': loaded ')
        with closing(Client(domain)) as client:
            clock = client.collect(Clock, '/clock', reliable=False)
            assert state(client).integration.tobytes() == before.integration.tobytes()
            for _ in range(50):
                assert client.trigger('step').success
            reached = state(client)
            assert reached.time == after.time
            assert reached.integration.tobytes() == after.integration.tobytes()
            spawnables = client.get_parameter('spawnables').string_array_value
            assert spawnables == ['*.xml', 'no: "name"']
            assert client.get_parameter('joint_states_rate').double_value == 200.0
            assert client.trigger('reload').success
            request = srv.RestoreState.Request(name='begin')
            assert client.call(srv.RestoreState, 'restore_state', request).success
            assert state(client).integration.tobytes() == before.integration.tobytes()
            wait_until(
                lambda: clock and abs(seconds(clock[-1].clock) - begin.time) < 1e-6, 'its time'
            )
        process.signal(signal.SIGINT)
        assert process.wait() == 0, process.output
    finally:
        process.end()
    assert 'Traceback' not in process.output
    assert 'initial state: ' not in process.output, 'all plugins were there'


def test_a_server_that_goes_on_gets_the_recorded_commands(killed, domain):
    commands = messages(killed, '/holder/joint_commands')
    assert len(commands) == 2
    first_s, last_s = (each.time_ns / 1e9 for each in commands)
    words = ['replay', str(killed), '--continue-at', '0', '--with-commands', '--ros-args']
    process = Process('mujoco_ros_py', [*words, '-p', 'unpause:=false'], domain, copied=True)
    try:
        process.wait_for_output('replays the recorded messages of /holder/joint_commands')
        process.wait_for_output(': loaded ')
        with closing(Client(domain)) as client:
            states = client.collect(JointState, '/joint_states')
            for _ in range(round(last_s / 0.002)):
                assert client.trigger('step').success
            wait_until(
                lambda: states and seconds(states[-1].header.stamp) > last_s - 0.01, 'its state'
            )
            begin = next(each for each in states if seconds(each.header.stamp) > first_s - 0.01)
            assert abs(states[-1].position[0] - 0.5) <= abs(begin.position[0] - 0.5)
            assert client.pause(False).success
            wait_until(lambda: abs(states[-1].position[0] + 0.5) < 0.02, 'the last command')
    finally:
        process.end()


def test_a_moment_that_is_not_in_a_recording_is_told(killed, domain):
    words = ['replay', str(killed), '--continue-at', '99']
    process = Process('mujoco_ros_py', words, domain, copied=True)
    assert process.wait() == 2, process.output
    assert 'run.mcap has no state at 99 s; sections with states: 0 (0 to ' in process.output


def test_a_replay_is_interrupted_without_noise(killed, domain):
    arguments = ['replay', str(killed), '--rate', '0.01', '--loop']
    process = Process('mujoco_ros_py', arguments, domain)
    process.wait_for_output('playing ')
    process.signal(signal.SIGINT)
    assert process.wait() == 130, process.output
    assert 'Traceback' not in process.output


PROGRAM = """
import os
import sys
from mujoco_ros_py.recording import RecordedRun
from mujoco_ros_py.session import Session

def memory():
    return int(open('/proc/self/statm').read().split()[1]) * os.sysconf('SC_PAGE_SIZE') / 2**20

path, compression, most = sys.argv[1], sys.argv[2], float(sys.argv[3]) * 2**20
body = '<body pos="0 0 1"><freejoint/><geom size="0.1" contype="0"/></body>'
recorder = {'type': 'mujoco_ros_py/Recorder', 'file': path, 'compression': compression}
model = f'<mujoco><worldbody>{20 * body}</worldbody></mujoco>'
turning = lambda model, data: [data.qvel.put(k, 0.1 * k) for k in range(model.nv)]
with Session(mujoco_xml=model, plugins=[recorder]) as session:
    session.call(turning)
    session.step(5000)
    before = memory()
    while os.stat(path).st_size < most:
        session.step(5000)
    print(memory() - before)
before = memory()
with RecordedRun(path) as run:
    states = sum(len(block.rows) for block in run.rows())
    print(memory() - before, states)
"""
MIB = float(os.environ.get('MUJOCO_ROS_PY_RECORDED_MIB', '60'))
"""The size of the file that memory is measured with."""


@pytest.mark.nightly
@pytest.mark.parametrize('compression', ['none', 'zstd'])
def test_memory_does_not_grow_with_the_recording(tmp_path, compression):
    path = tmp_path / 'run.mcap'
    done = subprocess.run(
        [sys.executable, '-c', PROGRAM, path, compression, str(MIB)],
        capture_output=True, text=True, timeout=DEADLINE_S * max(1.0, MIB / 60), check=True,
    )  # fmt: skip
    written, read, states = map(float, done.stdout.split())
    print(f'{compression}: {path.stat().st_size / 2**20:.0f} MiB, {states:.0f} states;', end=' ')
    print(f'memory grew by {written:.1f} MiB as it was written, by {read:.1f} as it was read')
    assert path.stat().st_size >= MIB * 2**20
    assert written < 25.0, 'MiB'
    assert read < 25.0, 'MiB'
