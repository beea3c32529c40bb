"""All that a server in eval_mode offers, against the table in docs/reference/services.md."""

from __future__ import annotations

import re
import threading
import time
from contextlib import closing, suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from deadline import DEADLINE_S
from rcl_interfaces.srv import (
    DescribeParameters,
    GetParameters,
    GetParameterTypes,
    ListParameters,
    SetParametersAtomically,
)
from rclpy.node import NodeNameNonExistentError
from rclpy.parameter import Parameter, parameter_value_to_python
from rosgraph_msgs.msg import Clock
from std_srvs.srv import SetBool, Trigger

from .harness import Client, parameter_message, seconds, wait_until

pytestmark = pytest.mark.slow

pytest.importorskip('nav_msgs.msg', reason='nav_msgs is not installed')
pytest.importorskip('mujoco_ros_msgs.srv', reason='mujoco_ros_msgs was not built')

SECRET = 'swordfish 8271'
PAGE = Path(__file__).parents[2] / 'docs/reference/services.md'
TABLE = re.compile(r'test_protected_surface\.py -->\n(.*?)<!-- to here -->', re.DOTALL)
SERVER = '/mujoco_server'
ROVER = """
<mujoco>
  <option timestep="0.02"/>
  <worldbody>
    <camera name="eye" pos="0 -2 0"/>
    <body name="base">
      <freejoint/>
      <geom size="0.1"/>
      <site name="mast"/>
      <camera name="chase" mode="trackcom" pos="0 -2 0"/>
      <body name="rod" pos="0 0 1">
        <joint name="hinge"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02"/>
      </body>
    </body>
    <body name="target" mocap="true"/>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
</mujoco>
"""
EVERYTHING = {
    'mujoco_xml': ROVER,
    'eval_mode': True,
    'admin_hash': SECRET,
    'initial_joint_positions.joint_map.hinge': 0.1,
    'cam_config.eye.stream_type': 7,
    'MujocoPlugins.names': ['arm', 'odometry', 'stop', 'push', 'target', 'tracker', 'faults'],
    'MujocoPlugins.arm.type': 'mujoco_ros_py/JointController',
    'MujocoPlugins.stop.type': 'mujoco_ros_py/EmergencyStop',
    'MujocoPlugins.push.type': 'mujoco_ros_py/BodyWrench',
    'MujocoPlugins.push.body': 'base',
    'MujocoPlugins.target.type': 'mujoco_ros_py/MocapPose',
    'MujocoPlugins.target.body': 'target',
    'MujocoPlugins.tracker.type': 'mujoco_ros_py/Pose',
    'MujocoPlugins.tracker.site': 'mast',
    'MujocoPlugins.tracker.noise.position.stddev': 0.1,
    'MujocoPlugins.faults.type': 'mujoco_ros_py/Imperfections',
    'MujocoPlugins.faults.timeline.late.of': 'arm',
    'MujocoPlugins.faults.timeline.late.latency': 0.0,
    'MujocoPlugins.odometry.type': 'mujoco_ros_py/Odometry',
    'MujocoPlugins.odometry.publish_tf': True,
    'MujocoPlugins.odometry.ground_truth_topic': 'truth',
}
OTHER_VALUES = {str: 'other', bool: True, int: 3, float: 0.5, list: ['other']}


def documented() -> list[tuple[str, list[str], str]]:
    """The rows of the table: what it is, the names, what can be done without the hash."""
    (text,) = TABLE.findall(PAGE.read_text())
    rows = [line.strip('| ').split(' | ') for line in text.splitlines()[2:]]
    return [(what, re.findall('`([^`]+)`', names), effect) for what, names, effect in rows]


def unlisted(what: str, names: set[str]) -> set[str]:
    patterns = [name for kind, listed, _ in documented() if kind == what for name in listed]
    return {name for name in names if not any(fnmatchcase(name, p) for p in patterns)}


def missing(what: str, names: set[str]) -> set[str]:
    patterns = {name for kind, listed, _ in documented() if kind == what for name in listed}
    return {p for p in patterns if not any(fnmatchcase(name, p) for name in names)}


def effect_of(what: str, name: str) -> str:
    (effect,) = (
        effect
        for kind, listed, effect in documented()
        if kind == what and any(fnmatchcase(name, pattern) for pattern in listed)
    )
    return effect


def parameters_of(client: Client) -> list[str]:
    answer = client.call(ListParameters, 'list_parameters', ListParameters.Request())
    return list(answer.result.names)


def value_of(client: Client, name: str) -> Any:
    return parameter_value_to_python(client.get_parameter(name))


def set_at_once(client: Client, *messages: Any) -> Any:
    request = SetParametersAtomically.Request(parameters=list(messages))
    return client.call(SetParametersAtomically, 'set_parameters_atomically', request).result


@pytest.fixture
def contest(share):
    """The process and the client of a server with everything switched on."""
    return share(EVERYTHING, reload=False)


def test_all_that_the_server_offers_is_in_the_table_and_the_other_way_round(contest):
    process, client = contest
    found = {
        'service': client.node.get_service_names_and_types_by_node,
        'publishes': client.node.get_publisher_names_and_types_by_node,
        'subscribes': client.node.get_subscriber_names_and_types_by_node,
    }

    def names_of(what: str) -> set[str]:
        with suppress(NodeNameNonExistentError):  # DDS has not told of the node yet
            return {name.replace(SERVER, '~') for name, _ in found[what](SERVER[1:], '/')}
        return set()

    def expected(what: str) -> set[str]:
        absent = missing(what, names_of(what))
        images = {name for name in absent if name.startswith('/cameras/')}
        return absent - images if no_cameras else absent

    no_cameras = 'without cameras' in process.output
    for what in found:
        wait_until(lambda: not expected(what), what)  # noqa: B023
        assert unlisted(what, names_of(what)) == set(), what
    assert client.node.get_client_names_and_types_by_node(SERVER[1:], '/') == []
    names = set(parameters_of(client))
    assert unlisted('parameter', names) == set()
    assert missing('parameter', {*names, 'MujocoPlugins', 'initial_joint_velocities.x'}) == set()


def test_no_parameter_can_be_changed_added_or_deleted_without_the_hash(contest):
    _, client = contest
    names = parameters_of(client)
    before = {name: value_of(client, name) for name in names}
    new = [
        parameter_message('initial_joint_velocities.joint_map.hinge', 9.0),
        parameter_message('MujocoPlugins.cheat.type', 'a/B'),
        parameter_message('MujocoPlugins', '[]'),
        parameter_message('cam_config.chase.width', 8),
        parameter_message('anything', 1),
    ]
    others = [
        parameter_message(name, OTHER_VALUES[type(value)])
        for name, value in before.items()
        if name != 'admin_hash'
    ]
    deleted = [Parameter(name).to_parameter_msg() for name in names]

    for message in [*new, *others, *deleted]:
        result = set_at_once(client, message)
        assert not result.successful, message.name
        expected = 'does not match' if message.name == 'admin_hash' else 'needs the admin hash'
        assert expected in result.reason, message.name
    assert not set_at_once(client, *others).successful
    assert not set_at_once(client, *new, *others).successful

    assert {name: value_of(client, name) for name in parameters_of(client)} == before


def test_what_is_fixed_at_the_start_stays_with_the_hash_too(contest):
    _, client = contest
    for name in parameters_of(client):
        if 'fixed at the start' in effect_of('parameter', name):
            value = OTHER_VALUES[type(value_of(client, name))]
            result = set_at_once(
                client,
                parameter_message('admin_hash', SECRET),
                parameter_message(name, value),
            )
            assert not result.successful, name


def test_no_service_changes_the_run_or_shows_the_hash_without_it(contest):
    process, client = contest
    before = client.diagnostics()['simulation'][2]
    names = parameters_of(client)
    for name in ('step', 'reset', 'reload', 'load_initial_joint_states', 'shutdown'):
        assert effect_of('service', f'~/{name}') == 'refused'
        answer = client.trigger(name)
        assert 'needs the admin hash' in answer.message, name
    assert 'needs the admin hash' in client.pause(True).message
    assert client.pause(False).success
    for kind, name in (
        (DescribeParameters, 'describe_parameters'),
        (GetParameters, 'get_parameters'),
        (GetParameterTypes, 'get_parameter_types'),
    ):
        answer = client.call(kind, name, kind.Request(names=names))
        assert SECRET not in str(answer)
        assert SECRET not in str(client.call(kind, name, kind.Request(names=[SECRET])))
    assert process.running()
    values = client.diagnostics()['simulation'][2]
    for name in 'loads', 'resets':
        assert values[name] == before[name], name
    assert values['paused'] == 'False'


def test_calls_that_change_nothing_gain_no_time(start):
    slow = ROVER.replace('timestep="0.02"', 'timestep="0.5" gravity="0 0 0"')
    _, client = start({**EVERYTHING, 'mujoco_xml': slow, 'MujocoPlugins.names': ['odometry']})
    times = client.collect(Clock, '/clock', reliable=False)
    wait_until(lambda: times and seconds(times[-1].clock) > 0.5, 'moving time')
    start, before = time.monotonic(), seconds(times[-1].clock)

    asked = 0
    while asked < 40 or seconds(times[-1].clock) == before:
        assert client.pause(False).success
        asked += 1
    client.diagnostics()  # after which the last clock has come
    simulated = seconds(times[-1].clock) - before
    assert 0 < simulated < time.monotonic() - start + 1.0


def test_an_atomic_request_that_fails_half_way_sets_nothing_and_is_answered(contest):
    _, client = contest
    before = parameters_of(client)
    cheat = parameter_message('initial_joint_positions.joint_map.other', 9.0)
    permission = parameter_message('admin_hash', SECRET)
    for wrong in (
        parameter_message('eval_mode', False),
        parameter_message('realtime', -5.0),
        parameter_message('modelfile', 3),
        parameter_message('no_such_parameter', 3),
        parameter_message('initial_joint_positions.joint_map.third', 'words'),
        parameter_message('cam_config.eye.width', -1),
        parameter_message('', 3),
        Parameter('initial_joint_positions.joint_map.fourth').to_parameter_msg(),
    ):
        for request in ([cheat, wrong], [wrong, cheat], [permission, cheat, wrong]):
            result = set_at_once(client, *request)
            assert not result.successful, wrong.name
            assert result.reason
    assert parameters_of(client) == before
    assert not client.trigger('reload').success, 'no permission is left'


def test_a_refused_request_of_the_referee_leaves_no_permission(contest):
    _, client = contest
    for refused in (
        lambda: not client.set_parameters(realtime=-5.0)[0].successful,
        lambda: not client.set_parameters(no_such_name=1.0)[0].successful,
        lambda: 'pause first' in client.trigger('step').message,
    ):
        assert client.set_parameters(admin_hash=SECRET)[0].successful
        assert refused()
        assert 'needs the admin hash' in client.trigger('reset').message


def test_of_many_who_ask_at_once_a_permission_for_a_service_serves_that_one_alone(contest):
    process, client = contest
    domain = client.node.context.get_domain_id()
    with closing(Client(domain)) as contestant:
        stop = threading.Event()
        done = []

        def cheat() -> None:
            while not stop.is_set():
                futures = [
                    contestant.call_async(Trigger, 'reload', Trigger.Request()),
                    contestant.call_async(SetBool, 'set_pause', SetBool.Request(data=True)),
                    contestant.call_async(
                        SetParametersAtomically,
                        'set_parameters_atomically',
                        SetParametersAtomically.Request(
                            parameters=[parameter_message('realtime', 0.5)]
                        ),
                    ),
                ]
                wait_until(lambda futures=futures: all(f.done() for f in futures), 'answers')
                done.extend(future.result() for future in futures)

        thread = threading.Thread(target=cheat, daemon=True)
        thread.start()
        try:
            wait_until(lambda: done, 'the contestant')
            for _ in range(10):
                before = len(done)
                assert client.set_parameters(admin_hash=f'{SECRET} reset')[0].successful
                answer = client.trigger('reset')
                assert answer.success, answer.message
                assert set_at_once(
                    client,
                    parameter_message('admin_hash', SECRET),
                    parameter_message('boundscheck', False),
                ).successful
                wait_until(lambda before=before: len(done) > before, 'the contestant')
        finally:
            stop.set()
            thread.join(DEADLINE_S)
    assert len(done) > 10
    assert not any(getattr(answer, 'success', False) for answer in done)
    assert value_of(client, 'realtime') == 1.0
    assert process.running()
