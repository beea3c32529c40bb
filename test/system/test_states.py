"""States over DDS: what is restored goes on to the bit, here and elsewhere, and no other state."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
import pytest

pytest.importorskip('mujoco_ros_py_interfaces.srv', reason='the interfaces were not built')

from builtin.controllers.trajectories.trajectory_messages import trajectory
from geometry_msgs.msg import PoseStamped
from mujoco_ros_py_interfaces import srv
from mujoco_ros_py_interfaces.msg import NamedValues, Option, SimulationState
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory

from mujoco_ros_py.simulation import read_state
from mujoco_ros_py.simulation.states.plain_values import write_value

from .harness import seconds, wait_until

pytestmark = pytest.mark.slow
ARM = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body>
      <joint name="turn" axis="0 0 1"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
      <body pos="0.3 0 0">
        <joint name="lift" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/>
        <site name="tip" pos="0.3 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position joint="turn" kp="50" kv="4"/>
    <position joint="lift" kp="50" kv="4"/>
    <general name="late" joint="lift" dyntype="filter" delay="0.01" nsample="6"/>
  </actuator>
  <sensor><jointpos name="seen" joint="lift" delay="0.01" nsample="6"/></sensor>
  <keyframe>
    <key name="raised" time="7.5" qpos="0 -0.5"/><key qpos="0 1"/><key name="home"/>
  </keyframe>
</mujoco>
"""
ROBOT = {
    'mujoco_xml': ARM,
    'unpause': False,
    'update_in_pause': False,  # or the controls of a pause would be those of its last pass
    'MujocoPlugins.names': ['arm', 'tracker'],
    'MujocoPlugins.arm.type': 'mujoco_ros_py/JointTrajectoryController',
    'MujocoPlugins.arm.joints': ['turn', 'lift'],
    'MujocoPlugins.tracker.type': 'mujoco_ros_py/Pose',
    'MujocoPlugins.tracker.site': 'tip',
    'MujocoPlugins.tracker.update_rate': 500.0,  # each step
    'MujocoPlugins.tracker.noise.position.stddev': 0.01,
}
AT_REST = {'mujoco_xml': ARM, 'unpause': False, 'update_in_pause': False}
MOVE = trajectory((0.2, (0.5, -0.3), (0.0, 0.0)), (0.5, (1.0, 0.2), (0.0, 0.0)))


def ask(client, name: str, /, **fields: Any) -> Any:
    """Returns the answer of a service of states."""
    kind = getattr(srv, ''.join(word.capitalize() for word in name.split('_')))
    return client.call(kind, name, kind.Request(**fields))


def parts(written: Any) -> dict[str, bytes]:
    """Returns what a state consists of, as bytes, for a comparison to the bit."""
    read = read_state(bytes(written))
    found = {'integration': read.integration.tobytes()}
    for name, part in read.plugins.items():
        for index, record in enumerate(part if isinstance(part, tuple) else (part,)):
            names = getattr(getattr(record, 'dtype', None), 'names', None) or ()
            found |= {f'{name}.{field}': np.asarray(record[field]).tobytes() for field in names}
            if not names:
                found[f'{name}[{index}]'] = write_value(record)
    return found


def done(client, name: str, /, **fields: Any) -> str:
    """Returns the message of a service that succeeds."""
    answer = ask(client, name, **fields)
    assert answer.success, answer.message
    return answer.message


def refused(client, name: str, /, **fields: Any) -> str:
    """Returns the message of a service that does not succeed."""
    answer = ask(client, name, **fields)
    assert not answer.success, answer.message
    return answer.message


def steps(client, count: int) -> None:
    for _ in range(count):
        assert client.trigger('step').success


def state(client) -> SimulationState:
    answer = ask(client, 'get_state')
    assert answer.success, answer.message
    return answer.state


@pytest.fixture
def moving(share):
    """The client of a paused server, whose arm is on its way."""
    _, client = share(ROBOT)
    publisher = client.node.create_publisher(JointTrajectory, '/arm/joint_trajectory', 1)
    wait_until(publisher.get_subscription_count, 'the controller')
    publisher.publish(MOVE)

    def follows() -> bool:
        steps(client, 1)
        return read_state(bytes(state(client).data)).plugins['arm'][1] is not None

    wait_until(follows, 'the trajectory')
    steps(client, 20)
    return client


def test_a_state_of_a_name_goes_on_to_the_bit_with_controller_delays_and_noise(moving):
    client = moving
    measured = client.collect(PoseStamped, '/tracker')
    clock = client.collect(Clock, '/clock', reliable=False)
    joints = client.collect(JointState, '/joint_states')
    saved = ask(client, 'save_state', name='on the way')
    assert saved.success, saved.message
    assert saved.message.startswith("state 'on the way' saved at 0.")

    def goes_on() -> tuple[bytes, dict[float, Any]]:
        before = len(measured)
        steps(client, 40)

        def noisy() -> dict[float, Any]:
            poses = {seconds(each.header.stamp): each.pose for each in measured[before:]}
            return {time: pose for time, pose in poses.items() if time > there}

        wait_until(lambda: len(noisy()) >= 30, 'poses')
        return bytes(state(client).data), noisy()

    there = seconds(saved.stamp)
    expected, seen = goes_on()
    shown, moved = len(clock), len(joints)
    told = done(client, 'restore_state', name='on the way')
    assert told.startswith("state 'on the way' saved at 0.")
    assert bytes(state(client).data) != expected
    wait_until(lambda: any(abs(seconds(c.clock) - there) < 1e-6 for c in clock[shown:]), 'jump')
    wait_until(
        lambda: any(abs(seconds(j.header.stamp) - there) < 1e-6 for j in joints[moved:]),
        'the joints of the restored state',
    )
    again, seen_again = goes_on()
    assert parts(again) == parts(expected)
    common = seen.keys() & seen_again.keys()
    assert len(common) > 20
    assert [seen[time] for time in common] == [seen_again[time] for time in common]


def test_a_message_of_one_server_goes_on_equally_in_another_one(moving, start):
    one = moving
    _, two = start(ROBOT)
    steps(two, 3)
    here = state(one)
    assert here.stamp == ask(one, 'get_state').state.stamp
    done(two, 'set_state', state=here)
    for client in (one, two):
        steps(client, 40)
    assert parts(state(one).data) == parts(state(two).data)
    other = ARM.replace('name="lift"', 'name="raise"').replace('joint="lift"', 'joint="raise"')
    assert two.set_parameters(mujoco_xml=other)[0].successful
    assert two.trigger('reload').success
    told = refused(two, 'set_state', state=here)
    assert told.startswith("the saved state belongs to another model: joint 1 is 'lift (hinge of ")


def test_states_are_listed_replaced_and_deleted_by_name(share):
    _, client = share(AT_REST)
    assert refused(client, 'save_state', name='') == 'a state must have a name, got an empty one'
    done(client, 'save_state', name='one')
    steps(client, 5)
    done(client, 'save_state', name='two')
    assert 'exists; set replace' in refused(client, 'save_state', name='one')
    done(client, 'save_state', name='one', replace=True)
    listed = ask(client, 'list_states')
    assert [(each.name, seconds(each.stamp)) for each in listed.states] == [
        ('two', 0.01),
        ('one', 0.01),
    ]
    assert all(each.size > 0 for each in listed.states)
    told = "unknown state 'three'; known: one, two"
    assert refused(client, 'restore_state', name='three') == told
    assert refused(client, 'delete_state', name='three') == told
    assert done(client, 'delete_state', name='two') == "state 'two' deleted"
    assert [each.name for each in ask(client, 'list_states').states] == ['one']
    assert client.trigger('reload').success
    done(client, 'restore_state', name='one')


def test_garbage_is_refused_and_the_run_goes_on(share):
    process, client = share(AT_REST)
    steps(client, 5)
    here = state(client)
    for wrong in (b'', b'\x80\x04.', bytes(here.data)[:-8], bytes(here.data) * 2, bytes(10**6)):
        told = refused(client, 'set_state', state=SimulationState(data=array('B', wrong)))
        assert 'a state must begin with' in told or 'was damaged' in told
    assert state(client) == here
    assert 'Traceback' not in process.output


def test_keyframes_are_listed_and_reset_to(share):
    _, client = share(AT_REST)
    steps(client, 2)
    found = ask(client, 'list_keyframes').keyframes
    assert [(each.name, seconds(each.stamp)) for each in found] == [('raised', 7.5), ('home', 0.0)]
    assert done(client, 'reset_to_keyframe', name='raised') == "reset to keyframe 'raised'"
    there = read_state(bytes(state(client).data))
    assert (there.time, list(there.integration[1:3])) == (7.5, [0.0, -0.5])
    told = refused(client, 'reset_to_keyframe', name='low')
    assert told == "unknown keyframe 'low'; known: home, raised"


def values(**numbers: Any) -> list[Any]:
    return [NamedValues(name=name, values=list(map(float, n))) for name, n in numbers.items()]


def test_values_are_set_and_told_by_name_all_of_them_or_none(share):
    _, client = share(AT_REST)
    told = done(
        client,
        'set_values',
        positions=values(turn=[0.5]),
        velocities=values(lift=[2.0]),
        controls=values(late=[0.25]),
        activations=values(late=[0.125]),
    )
    assert told == (
        "position of 'turn' set; velocity of 'lift' set; control of 'late' set;"
        " activation of 'late' set"
    )
    found = ask(client, 'get_values', joints=['turn', 'lift'], actuators=['late'])
    assert (found.success, seconds(found.stamp)) == (True, 0.0)
    assert found.positions == values(turn=[0.5], lift=[0.0])
    assert found.velocities == values(turn=[0.0], lift=[2.0])
    assert (found.controls, found.activations) == (values(late=[0.25]), values(late=[0.125]))
    assert found.mocap_poses == []
    told = refused(
        client, 'set_values', positions=values(turn=[1.0], bend=[0.0]), velocities=values(lift=[])
    )
    assert told == (
        "unknown joint 'bend'; known: lift, turn; velocity of 'lift' must have 1 numbers, got 0;"
        ' nothing was set'
    )
    every = ask(client, 'get_values')
    assert (every.positions, every.activations) == (found.positions, found.activations)
    assert "unknown actuator 'x'; known: late" in refused(client, 'get_values', actuators=['x'])


def options(**given: str) -> list[Any]:
    return [Option(name=name.replace('__', '/'), value=value) for name, value in given.items()]


def test_options_are_set_and_told_as_mjcf_writes_them(share):
    _, client = share(AT_REST)
    told = done(client, 'set_options', options=options(gravity='0 0 -1', flag__contact='disable'))
    assert told == 'option gravity set to 0.0 0.0 -1.0; option flag/contact set to disable'
    found = ask(client, 'get_options', names=['gravity', 'flag/contact', 'timestep'])
    assert found.options == options(
        gravity='0.0 0.0 -1.0', flag__contact='disable', timestep='0.002'
    )
    told = refused(client, 'set_options', options=options(density='1', timestep='0.1'))
    assert told.startswith('option timestep cannot be set while the model runs: sensors,')
    assert ask(client, 'get_options', names=['density']).options == options(density='0.0')
    assert len(ask(client, 'get_options').options) > 40
    assert client.trigger('reset').success
    assert ask(client, 'get_options', names=['gravity']).options == options(gravity='0.0 0.0 -1.0')
    steps(client, 1)


SECRET = 'swordfish-8271'
REQUESTS: dict[str, dict[str, Any]] = {
    'save_state': {'name': 'one'},
    'restore_state': {'name': 'one'},
    'list_states': {},
    'get_state': {},
    'set_state': {},
    'delete_state': {'name': 'one'},
    'list_keyframes': {},
    'reset_to_keyframe': {'name': 'home'},
    'get_options': {},
    'set_options': {'options': [Option(name='density', value='1')]},
    'get_values': {},
    'set_values': {'positions': [NamedValues(name='turn', values=[0.5])]},
}
"""A request for each service, which succeeds in this order with the hash."""


def test_a_contestant_can_do_nothing_without_the_hash(start):
    parameters = {'mujoco_xml': ARM, 'unpause': False, 'eval_mode': True, 'admin_hash': SECRET}
    process, client = start(parameters)
    for name, fields in REQUESTS.items():
        answer = ask(client, name, **fields)
        assert answer == type(answer)(message=answer.message), 'nothing is told'
        assert f'~/{name} needs the admin hash in eval_mode' in answer.message
        told = refused(client, name, **fields, admin_hash='wrong')
        assert told == f'~/{name} is refused: admin_hash does not match'
    here = ask(client, 'get_state', admin_hash=SECRET).state
    for name, fields in REQUESTS.items():
        given = {'state': here} if name == 'set_state' else fields
        done(client, name, **given, admin_hash=SECRET)
        assert client.set_parameters(admin_hash=f'{SECRET} {name}')[0].successful
        if name != 'delete_state':
            done(client, name, **given, **({'replace': True} if name == 'save_state' else {}))
    assert SECRET not in process.output
