"""The latency of a server's commands, measured in its own recording by the command `latency`."""

from __future__ import annotations

import pytest
import yaml
from builtin_interfaces.msg import Time
from sensor_msgs.msg import JointState

from mujoco_ros_py.command_line import run as run_command

from .faults import sim_time
from .harness import free_domain, running_server, seconds, wait_until

pytest.importorskip('mcap', reason='the extra `recording` is not installed')
pytestmark = pytest.mark.slow

MODEL = """<mujoco><option timestep="0.001"/>
  <worldbody>
    <body><joint name="wheel" axis="0 0 1" damping="0.1"/><geom size="0.1"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="wheel"/></actuator></mujoco>"""
LATENCY_S, RATE_HZ, REST_S, COMMANDS = 0.012, 250.0, 0.7, 12


def plugins(path):
    return [
        {'type': 'mujoco_ros_py/JointController', 'name': 'holder', 'damping': 4.0},
        {'type': 'mujoco_ros_py/JointStates', 'name': 'states', 'rate': RATE_HZ},
        {
            'type': 'mujoco_ros_py/Imperfections', 'name': 'bus',
            'timeline': {'late': {'of': 'holder', 'latency': LATENCY_S}},
        },
        {
            'type': 'mujoco_ros_py/Recorder', 'file': str(path),
            'topics': ['/joint_states', '/holder/joint_commands'],
        },
    ]  # fmt: skip


def held(client):
    found = client.diagnostics()
    return next(values for name, (_, _, values) in found.items() if name == 'plugin bus')


def run_for(client, states, time_s):
    """Runs at the speed of real time, at which few states are dropped; returns the time."""
    end = sim_time(client) + time_s
    client.pause(False)
    wait_until(lambda: states and seconds(states[-1].header.stamp) > end, 'the joint states')
    client.pause(True)
    sim_time(client)  # these diagnostics may be from before the pause
    return sim_time(client)


@pytest.fixture(scope='module')
def recording(tmp_path_factory):
    """The recording of a server whose commands are late."""
    folder = tmp_path_factory.mktemp('late')
    path = folder / 'run.mcap'
    given = {
        'mujoco_xml': MODEL, 'MujocoPlugins': yaml.safe_dump(plugins(path)), 'unpause': False,
    }  # fmt: skip
    with free_domain() as domain, running_server(folder, domain, given) as (_, client):
        commands = client.node.create_publisher(JointState, '/holder/joint_commands', 10)
        states = client.collect(JointState, '/joint_states')
        wait_until(lambda: commands.get_subscription_count() == 2, 'the holder and the recorder')
        wait_until(lambda: client.node.count_subscribers('/joint_states') == 2, 'the recorder')
        for number in range(COMMANDS):
            now = run_for(client, states, REST_S)
            message = JointState(name=['wheel'], position=[0.3 if number % 2 else -0.3])
            whole, fraction = divmod(round(now * 1e9), 1_000_000_000)
            message.header.stamp = Time(sec=whole, nanosec=fraction)
            commands.publish(message)
            wait_until(lambda: held(client)['messages held'] == '1', 'the command')
        run_for(client, states, REST_S)
    return path


def test_the_latency_of_the_timeline_is_measured_within_a_period_of_the_states(recording, capsys):
    topics = ['--commands', '/holder/joint_commands', '--states', '/joint_states']
    options = ['--time', 'stamp', '--state', 'velocity', '--distribution', 'constant']
    assert run_command(['latency', str(recording), *topics, *options]) == 0
    entry = yaml.safe_load(capsys.readouterr().out)['late_commands']
    assert entry['of'] == '/holder/joint_commands'
    assert entry['latency'] == pytest.approx(LATENCY_S, abs=1.0 / RATE_HZ)
