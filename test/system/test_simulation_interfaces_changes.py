"""The standard services that spawn, move and delete entities."""

from __future__ import annotations

import math

import pytest

pytest.importorskip('simulation_interfaces.srv', reason='simulation_interfaces was not built')

from sensor_msgs.msg import JointState
from simulation_interfaces.msg import EntityState, Resource, Result, SpawnEntity, SpawnResult
from simulation_interfaces.srv import (
    DeleteEntity,
    ResetSimulation,
    SetEntityState,
    SpawnEntities,
)
from simulation_interfaces.srv import SpawnEntity as Spawning
from std_srvs.srv import Trigger

from .harness import wait_until
from .plugin_site import PluginSite, as_text, plugin
from .standard_requests import (
    ALL,
    CUBE,
    OK,
    PLAYING,
    SECOND_VERSION,
    STOPPED,
    TURNED,
    WORLD,
    ask,
    done,
    entities,
    numbers,
    pose_in,
    pose_of,
    refused,
    request_of,
    service_name,
    set_state,
    spawn,
)

pytestmark = pytest.mark.slow
PAUSED = {'mujoco_xml': WORLD, 'unpause': False}
PENDULUM = """
<mujoco model="pendulum">
  <worldbody>
    <body name="rod"><joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
</mujoco>
"""
URDF = '<robot name="box"><link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1"\
 izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>'


def result_of(answer):
    return answer.result.result, answer.result.error_message


def move(client, name, stamped, linear=(0, 0, 0), **flags):
    state = EntityState(header=stamped.header, pose=stamped.pose)
    state.twist.linear.x, state.twist.linear.y, state.twist.linear.z = map(float, linear)
    if SECOND_VERSION:
        flags = {'set_pose': True, 'set_twist': True, **flags}
    return ask(client, 'SetEntityState', entity=name, state=state, **flags)


def test_an_entity_is_spawned_at_its_pose_in_a_frame(share):
    _, client = share(PAUSED)
    answer = spawn(client, name='box', initial_pose=pose_in('top', 1, 0, 0))
    assert (result_of(answer), answer.entity_name) == ((OK, ''), 'box')
    assert pose_of(client, 'box') == ([2, 1.3, 0.1], [0, 0, 0.707107, 0.707107])
    spawn(client, name='second', initial_pose=pose_in('box/base', 0, 1, 0))
    assert pose_of(client, 'second')[0] == [1, 1.3, 0.1]
    assert entities(client) == [*ALL, 'box', 'second']


def test_a_name_that_is_taken_gets_a_number_where_that_is_allowed(share):
    _, client = share(PAUSED)
    assert spawn(client).entity_name == 'cube'
    assert spawn(client, allow_renaming=True).entity_name == 'cube_1'
    assert spawn(client, name='ball', allow_renaming=True).entity_name == 'ball_1'
    code, message = result_of(spawn(client))
    assert code == Spawning.Response.NAME_NOT_UNIQUE
    assert message == "the name 'cube' is taken by another entity"


def test_what_cannot_be_spawned_has_the_number_of_the_reason(share):
    _, client = share(PAUSED)
    for fields, code, said in (
        ({'name': 'ball'}, 'NAME_NOT_UNIQUE', 'taken'),
        ({'name': 'a/b'}, 'NAME_INVALID', 'without slashes'),
        ({'resource_string': '<sdf version="1.6"/>'}, 'UNSUPPORTED_FORMAT', 'mujoco or robot'),
        ({'resource_string': 'a cube'}, 'UNSUPPORTED_FORMAT', 'no XML'),
        ({'resource_string': ''}, 'NO_RESOURCE', 'neither'),
        ({'uri': '/no/such/robot.xml'}, 'NO_RESOURCE', 'no such file'),
        ({'uri': 'file:///no/such/robot.xml'}, 'NO_RESOURCE', '/no/such/robot.xml'),
        ({'uri': 'package://no_such_package/robot.xml'}, 'NO_RESOURCE', 'no_such_package'),
        ({'uri': 'http://localhost/robot.xml'}, 'NO_RESOURCE', 'http'),
        ({'uri': CUBE}, 'NO_RESOURCE', 'text of a model'),
        ({'entity_namespace': '2/b'}, 'NAMESPACE_INVALID', 'begin with a letter'),
        ({'resource_string': '<mujoco><nonsense/></mujoco>'}, 'RESOURCE_PARSE_ERROR', 'nonsense'),
        ({'resource_string': '<mujoco'}, 'RESOURCE_PARSE_ERROR', 'XML'),
        ({'resource_string': '<mujoco/>'}, 'RESOURCE_PARSE_ERROR', 'no body'),
        ({'resource_string': '<mujoco><asset><mesh file="no.stl"/></asset></mujoco>'},
         'MISSING_ASSETS', 'no.stl'),
        ({'resource_string': '<mujoco><asset><mesh file="/etc/hostname"/></asset></mujoco>'},
         'UNSUPPORTED_ASSETS', 'decoder'),
        ({'initial_pose': pose_in('nowhere')}, 'INVALID_POSE',
         "unknown frame 'nowhere'; known: arm"),
        ({'initial_pose': pose_in('', math.nan)}, 'INVALID_POSE', 'finite'),
        ({'initial_pose': pose_in('', 1, quat=(0.0, 0.0, 0.0, 0.0))}, 'INVALID_POSE', 'rotation'),
    ):  # fmt: skip
        given = {'resource_string': CUBE, **fields} if 'uri' not in fields else fields
        result = ask(client, 'SpawnEntity', **given).result
        assert result.result == getattr(Spawning.Response, code), (fields, result.error_message)
        assert said in result.error_message, fields
    assert entities(client) == ALL


@pytest.mark.parametrize('strict', [False, True])
def test_an_option_that_the_world_has_otherwise_is_in_the_answer_or_refused(share, strict):
    server, client = share({**PAUSED, 'strict_options': strict})
    stiff = CUBE.replace('<worldbody>', '<option integrator="implicitfast"/><worldbody>')
    told = 'option integrator=implicitfast is not kept: the world has Euler'
    code, message = result_of(spawn(client, stiff))
    if strict:
        assert (code, message) == (
            Result.RESULT_OPERATION_FAILED,
            f'entity cube: {told} (strict_options)',
        )
        assert entities(client) == ALL
    else:
        assert (code, message) == (OK, told)
        server.wait_for_output(f'entity cube: {told}')
        assert result_of(spawn(client, name='other')) == (OK, '')


def test_urdf_and_files_can_be_spawned(share, tmp_path):
    _, client = share(PAUSED)
    assert spawn(client, URDF).entity_name == 'box'
    (tmp_path / 'my cube.xml').write_text(CUBE.replace(' model="cube"', ''))
    uri = f'file://{tmp_path}/my%20cube.xml'
    assert done(client, 'SpawnEntity', uri=uri).entity_name == 'my cube'
    arm = 'package://mujoco_ros_py/examples/pendulum.xml'
    assert done(client, 'SpawnEntity', uri=arm, name='left').entity_name == 'left'


def test_a_robot_brings_its_plugins_and_its_joint_states(share, tmp_path):
    _, client = share(PAUSED)
    (tmp_path / 'pendulum.xml').write_text(PENDULUM)
    (tmp_path / 'pendulum.plugins.yaml').write_text(
        '- {type: mujoco_ros_py/EmergencyStop, name: stop}\n'
    )
    states = client.collect(JointState, '/one/two/joint_states', reliable=False)
    done(
        client, 'SpawnEntity', uri=str(tmp_path / 'pendulum.xml'), name='left',
        entity_namespace='one/two',
    )  # fmt: skip
    assert list(wait_until(lambda: states, 'joint states')[-1].name) == ['hinge']
    stops = 'std_srvs/srv/SetBool'

    def offered():
        return [
            name for name, kinds in client.node.get_service_names_and_types() if stops in kinds
        ]

    wait_until(lambda: any(name.startswith('/one/two/') for name in offered()), 'the stop')


PLUGINS = """
- {type: mujoco_ros_py/EmergencyStop, name: stop}
- {type: mujoco_ros_py/JointController, name: drive, joints: [hing]}
- {type: mujoco_ros_py/JointControler, name: typo}
- {type: mujoco_ros_py/Transforms, name: frames, rat: 5.0}
- {name: nothing}
"""


def test_plugins_that_are_refused_are_in_the_answer(share, tmp_path):
    """Also those of another robot of the namespace, whose names are taken, and after a load."""
    _, client = share(PAUSED)
    robot = tmp_path / 'pendulum.xml'
    robot.write_text(PENDULUM)
    plugins = tmp_path / 'pendulum.plugins.yaml'
    plugins.write_text(PLUGINS)

    def spawned(name):
        return result_of(
            ask(client, 'SpawnEntity', uri=str(robot), name=name, entity_namespace='fleet')
        )

    code, message = spawned('one')
    assert code == OK
    count, *reasons = message.split('; ')
    assert count == '1 of 5 plugins ready'
    for said in ("unknown joint 'one/hing'", "JointControler'", "'rat'", "must have a 'type'"):
        assert any(said in reason for reason in reasons), said
    assert len([each for each in reasons if each.startswith(('fleet/', 'MujocoPlugins'))]) == 4

    assert result_of(ask(client, 'DeleteEntity', entity='one')) == (OK, '')
    plugins.write_text(PLUGINS.partition('\n- {type: mujoco_ros_py/JointController')[0])
    assert spawned('one') == (OK, '')
    code, message = spawned('two')
    assert code == OK
    assert message.startswith('1 of 2 plugins ready; ')
    assert "name 'fleet/stop' is taken" in message


def test_plugins_that_a_world_refuses_are_in_the_answer_of_its_load(share):
    drive = '[{type: mujoco_ros_py/JointController, name: drive, joints: [hinge]}]'
    given = {'mujoco_xml': PENDULUM, 'MujocoPlugins': drive}
    _, client = share({**PAUSED, 'MujocoPlugins': '[]'}, given=given)
    world = ask(client, 'LoadWorld', resource_string=CUBE)
    code, message = result_of(world)
    assert code == OK
    assert message.startswith('0 of 1 plugins ready; drive: refused to load: ')
    assert "unknown joint 'hinge'" in message
    assert result_of(ask(client, 'LoadWorld', resource_string=PENDULUM)) == (OK, '')


def spawn_request(text=CUBE, **fields):
    return SpawnEntity(entity_resource=Resource(resource_string=text), **fields)


def test_of_several_entities_those_that_can_be_spawned_are(share):
    _, client = share(PAUSED)
    requests = [
        spawn_request(name='a', initial_pose=pose_in('', 5)),
        spawn_request('<mujoco><nonsense/></mujoco>', name='b'),
        spawn_request(name='a'),
        spawn_request(name='a', allow_renaming=True),
        spawn_request(name='c', initial_pose=pose_in('nowhere')),
        spawn_request(),
    ]
    answer = ask(client, 'SpawnEntities', spawn_requests=requests)
    assert answer.result.result == SpawnEntities.Response.ENTITIES_SPAWN_FAILED
    assert '3 of 6 entities were not spawned' in answer.result.error_message
    assert [each.result.result for each in answer.results] == [
        OK, SpawnResult.RESOURCE_PARSE_ERROR, SpawnResult.NAME_NOT_UNIQUE, OK,
        SpawnResult.INVALID_POSE, OK,
    ]  # fmt: skip
    assert [each.entity_name for each in answer.results] == ['a', '', '', 'a_1', '', 'cube']
    assert entities(client) == [*ALL, 'a', 'a_1', 'cube']
    assert done(client, 'SpawnEntities', spawn_requests=[]).results == []


def test_ten_thousand_entities_at_once_are_refused_at_once(share):
    _, client = share(PAUSED)
    answer = ask(client, 'SpawnEntities', spawn_requests=[spawn_request('<mujoco/>')] * 10_000)
    assert answer.result.result == SpawnEntities.Response.ENTITIES_SPAWN_FAILED
    assert 'at most 2,000 spawned entities' in answer.result.error_message
    assert len(answer.results) == 10_000
    assert entities(client) == ALL


def test_an_entity_is_deleted_once(share):
    _, client = share(PAUSED)
    spawn(client)
    futures = [
        client.call_async(DeleteEntity, 'delete_entity', DeleteEntity.Request(entity='cube'))
        for _ in range(2)
    ]
    wait_until(lambda: all(future.done() for future in futures), 'answers')
    assert [future.result().result.result for future in futures] == [OK, Result.RESULT_NOT_FOUND]
    done(client, 'DeleteEntity', entity='ball')
    assert entities(client) == ['floor', 'table', 'arm', 'target']


def test_spawning_during_a_reload_waits_for_it(start, tmp_path):
    site = PluginSite(tmp_path)
    slow = as_text(plugin('Recorder', 'slow', load_s=0.3))
    _, client = start({**PAUSED, 'MujocoPlugins': slow}, **site.environment)
    reload = client.call_async(Trigger, 'reload', Trigger.Request())
    wait_until(lambda: len(site.events('load')) == 2, 'the reload, which takes some time more')
    spawning = client.call_async(
        Spawning, service_name('SpawnEntity'), request_of('SpawnEntity', resource_string=CUBE)
    )
    wait_until(lambda: reload.done() and spawning.done(), 'answers')
    assert reload.result().success
    assert spawning.result().result.result == OK
    assert 'cube' in entities(client)


def test_a_free_entity_is_placed_and_moved_in_a_frame(share):
    _, client = share(PAUSED)
    assert result_of(move(client, 'ball', pose_in('table', 1, 0, 0), (2, 0, 0))) == (OK, '')
    assert pose_of(client, 'ball') == ([2, 1, 0], [0, 0, 0.707107, 0.707107])
    state = done(client, 'GetEntityState', entity='ball').state
    assert numbers(state.twist.linear) == [0, 2, 0]


def test_a_mocap_body_is_placed(share):
    _, client = share(PAUSED)
    assert result_of(move(client, 'target', pose_in('', 1, 2, 3, quat=TURNED))) == (OK, '')
    assert pose_of(client, 'target') == ([1, 2, 3], [0, 0, 0.707107, 0.707107])


def test_what_is_fixed_to_the_world_is_placed_and_stays_there(share):
    _, client = share(PAUSED)
    done(client, 'StepSimulation', steps=5)
    assert result_of(move(client, 'table', pose_in('', 7, 8, 9))) == (OK, '')
    assert pose_of(client, 'table') == ([7, 8, 9], [0, 0, 0, 1])
    assert spawn(client).entity_name == 'cube'
    assert pose_of(client, 'table')[0] == [7, 8, 9]
    done(client, 'ResetSimulation', scope=ResetSimulation.Request.SCOPE_STATE)
    assert pose_of(client, 'table')[0] == [7, 8, 9]
    done(client, 'ResetSimulation')
    assert pose_of(client, 'table')[0] == [2, 0, 0]


def test_a_state_that_cannot_be_set_changes_nothing(share):
    _, client = share(PAUSED)
    invalid = SetEntityState.Response.INVALID_POSE
    for stamped in (pose_in('nowhere', 1), pose_in('', math.inf)):
        assert move(client, 'ball', stamped).result.result == invalid
    code, message = result_of(move(client, 'ball', pose_in('', 1), (math.nan, 0, 0)))
    assert (code, message) == (Result.RESULT_OPERATION_FAILED, 'the twist must be finite')
    code, message = result_of(move(client, 'table', pose_in('', 1), (1, 0, 0)))
    assert code == Result.RESULT_FEATURE_UNSUPPORTED
    assert 'does not move freely' in message
    assert pose_of(client, 'ball')[0] == [0, 0, 3]
    assert pose_of(client, 'table')[0] == [2, 0, 0]


@pytest.mark.skipif(not SECOND_VERSION, reason='version 1 has no flags')
def test_the_flags_of_version_2_choose_what_is_set(share):
    _, client = share(PAUSED)
    move(client, 'ball', pose_in('', 9, 9, 9), (1, 0, 0), set_pose=False)
    assert pose_of(client, 'ball')[0] == [0, 0, 3]
    move(client, 'ball', pose_in('', 9, 9, 9), (5, 0, 0), set_twist=False)
    state = done(client, 'GetEntityState', entity='ball').state
    assert numbers(state.pose.position) == [9, 9, 9]
    assert numbers(state.twist.linear) == [1, 0, 0]
    answer = move(client, 'ball', pose_in('', 1), set_acceleration=True)
    assert answer.result.result == Result.RESULT_FEATURE_UNSUPPORTED
    assert pose_of(client, 'ball')[0] == [9, 9, 9]


def test_resets_delete_what_was_spawned_and_bring_back_what_was_deleted(share):
    _, client = share(PAUSED)
    spawn(client)
    done(client, 'DeleteEntity', entity='ball')
    done(client, 'ResetSimulation', scope=ResetSimulation.Request.SCOPE_SPAWNED)
    assert entities(client) == ['floor', 'table', 'arm', 'target']
    spawn(client)
    done(client, 'ResetSimulation', scope=ResetSimulation.Request.SCOPE_ALL)
    assert entities(client) == ALL
    spawn(client)
    assert set_state(client, PLAYING).result == OK
    assert set_state(client, STOPPED).result == OK
    assert entities(client) == ALL


SECRET = 'swordfish 8271'


def test_in_a_protected_run_entities_need_the_hash(start):
    _, client = start({**PAUSED, 'eval_mode': True, 'admin_hash': SECRET})
    for kind in (
        'GetEntities', 'GetEntitiesStates', 'GetEntityState', 'GetEntityInfo', 'GetEntityBounds',
        'SetEntityState', 'SetEntityInfo', 'DeleteEntity', 'SpawnEntity', 'SpawnEntities',
    ):  # fmt: skip
        code, message = refused(client, kind)
        name = service_name(kind)
        assert code == Result.RESULT_OPERATION_FAILED, kind
        assert f'~/{name} needs the admin hash' in message
        assert client.set_parameters(admin_hash=f'{SECRET} {name}')[0].successful
        assert 'admin hash' not in refused(client, kind)[1]
