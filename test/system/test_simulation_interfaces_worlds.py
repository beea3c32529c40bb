"""The standard services of what there is: spawnables, named poses, and worlds."""

from __future__ import annotations

import mujoco
import pytest

pytest.importorskip('simulation_interfaces.srv', reason='simulation_interfaces was not built')

from rclpy.parameter import parameter_value_to_python
from simulation_interfaces.msg import (
    Bounds,
    Result,
    SimulationState,
    SimulatorFeatures,
    TagsFilter,
)
from simulation_interfaces.srv import (
    GetAvailableWorlds,
    GetCurrentWorld,
    LoadWorld,
    SetSimulationState,
    UnloadWorld,
)

from .harness import wait_until
from .standard_requests import (
    ALL,
    CUBE,
    OK,
    PLAYING,
    STOPPED,
    WORLD,
    ask,
    done,
    entities,
    numbers,
    refused,
    request_of,
    service_name,
    set_state,
    spawn,
    state_of,
)

pytestmark = pytest.mark.slow
AT_FIRST = {'mujoco_xml': WORLD, 'modelfile': ''}
"""What a test has to take back that loads a world."""
PAUSED = {**AT_FIRST, 'unpause': False}
HALL = """
<mujoco model="hall">
  <custom>
    <text name="description" data="two rooms"/><text name="tags" data="indoor large"/>
  </custom>
  <worldbody><body name="crate"><geom size="1"/></body></worldbody>
</mujoco>
"""
GARDEN = '<mujoco><worldbody><body name="tree"><geom size="1"/></body></worldbody></mujoco>'
EFFECTS = """
<robot name="lamp">
  <link name="base"/>
  <gazebo reference="base"><sensor name="eye" type="camera"/></gazebo>
</robot>
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with two worlds, and files that are none."""
    folder = tmp_path / 'worlds'
    folder.mkdir()
    (folder / 'hall.xml').write_text(HALL)
    (folder / 'garden.xml').write_text(GARDEN)
    (folder / 'package.xml').write_text('<package/>')
    (folder / 'broken.xml').write_text('<mujoco')
    (folder / 'notes.txt').write_text('<mujoco/>')
    return folder


def uri_of(spawnable):
    return getattr(spawnable, 'entity_resource', spawnable).uri


def test_the_features_of_worlds_are_told(share):
    _, client = share(PAUSED)
    found = set(ask(client, 'GetSimulatorFeatures').features.features)
    every = {
        value
        for name in dir(SimulatorFeatures)
        if name.isupper() and isinstance(value := getattr(SimulatorFeatures, name), int)
    }
    assert found == every, 'the server has all features'


def test_spawnables_have_the_place_that_they_need(start, folder):
    cannot = '<mujoco><worldbody><geom type="plane" size="1 1 1"/><body><freejoint/>\
<geom size="1"/></body></worldbody></mujoco>'
    (folder / 'loose.xml').write_text(cannot)
    process, client = start({**PAUSED, 'spawnables': [str(folder)]})
    found = done(client, 'GetSpawnables').spawnables
    assert [uri_of(each) for each in found] == [f'{folder}/garden.xml', f'{folder}/hall.xml']
    assert [each.description for each in found] == ['garden', 'two rooms']
    box = found[1].spawn_bounds
    assert (box.type, *map(numbers, box.points)) == (Bounds.TYPE_BOX, [1, 1, 1], [-1, -1, -1])
    process.wait_for_output('loose.xml cannot be spawned')
    done(client, 'SpawnEntity', uri=uri_of(found[1]))
    assert entities(client) == [*ALL, 'hall']


def test_spawnables_are_looked_for_where_the_request_says(share, folder):
    _, client = share(PAUSED)
    assert done(client, 'GetSpawnables').spawnables == []
    (cube,) = done(client, 'GetSpawnables', sources=[f'file://{folder}/garden.xml']).spawnables
    assert uri_of(cube) == f'file://{folder}/garden.xml'
    package = done(client, 'GetSpawnables', sources=['package://mujoco_ros_py/examples'])
    uris = [uri_of(each) for each in package.spawnables]
    assert 'package://mujoco_ros_py/examples/pendulum.xml' in uris
    code, message = refused(client, 'GetSpawnables', sources=['/no/such/folder'])
    assert (code, message) == (2, '/no/such/folder: no such file or folder')
    assert refused(client, 'GetSpawnables', sources=['package://no_such_package'])[0] == 2


def test_named_poses_are_sites(start):
    sites = WORLD.replace(
        '<body name="arm"',
        '<site name="dock_a" pos="1 2 3" size=".5"/>'
        '<site name="dock_b" type="box" size=".1 .2 .3" euler="0 0 90"/><body name="arm"',
    )
    _, client = start({**PAUSED, 'mujoco_xml': sites, 'named_poses': ['dock_*', 'top']})
    poses = {each.name: each.pose for each in done(client, 'GetNamedPoses').poses}
    assert poses.keys() == {'dock_a', 'dock_b', 'top'}
    assert numbers(poses['dock_a'].position) == [1, 2, 3]
    assert numbers(poses['dock_b'].orientation) == [0, 0, 0.707107, 0.707107]
    assert numbers(poses['top'].position) == [2, 0.3, 0.1]
    tagged = done(client, 'GetNamedPoses', tags=TagsFilter(tags=['red']))
    assert tagged.poses == []

    ball = done(client, 'GetNamedPoseBounds', name='dock_a').bounds
    assert (ball.type, *map(numbers, ball.points)) == (3, [0, 0, 0], [0.5, 0, 0])
    box = done(client, 'GetNamedPoseBounds', name='dock_b').bounds
    assert (box.type, *map(numbers, box.points)) == (1, [0.1, 0.2, 0.3], [-0.1, -0.2, -0.3])
    code, message = refused(client, 'GetNamedPoseBounds', name='dock')
    assert code == Result.RESULT_NOT_FOUND
    assert 'known: dock_a, dock_b, top' in message


def test_the_present_world_is_told_and_another_one_loaded(share, folder):
    _, client = share(PAUSED, given=AT_FIRST)
    assert client.pause(False).success
    world = done(client, 'GetCurrentWorld').world
    assert (world.world_resource.uri, world.world_resource.resource_string) == ('', WORLD)
    spawn(client)

    answer = done(client, 'LoadWorld', uri=f'file://{folder}/hall.xml')
    assert (answer.world.name, answer.world.description) == ('hall', 'two rooms')
    assert answer.world.world_resource.uri == f'file://{folder}/hall.xml'
    assert state_of(client) == STOPPED
    assert entities(client) == ['crate']
    assert done(client, 'GetCurrentWorld').world == answer.world
    assert client.trigger('reload').success
    assert entities(client) == ['crate']

    text = GARDEN.replace('<mujoco>', '<mujoco model="grove">')
    assert done(client, 'LoadWorld', resource_string=text).world.name == 'grove'
    assert entities(client) == ['tree']
    assert parameter_value_to_python(client.get_parameter('modelfile')) == ''


def test_a_world_that_cannot_be_loaded_leaves_the_one_that_runs(share):
    _, client = share(PAUSED)
    assert client.pause(False).success
    for fields, code in (
        ({'resource_string': '<sdf version="1.6"/>'}, 'UNSUPPORTED_FORMAT'),
        ({'uri': '/no/such/world.xml'}, 'NO_RESOURCE'),
        ({}, 'NO_RESOURCE'),
        ({'resource_string': '<mujoco><nonsense/></mujoco>'}, 'RESOURCE_PARSE_ERROR'),
        ({'resource_string': '<mujoco><asset><mesh file="no.stl"/></asset></mujoco>'},
         'MISSING_ASSETS'),
        ({'resource_string': '<mujoco><asset><mesh file="/etc/hostname"/></asset></mujoco>'},
         'UNSUPPORTED_ASSETS'),
        ({'resource_string': EFFECTS, 'fail_on_unsupported_element': True},
         'UNSUPPORTED_ELEMENTS'),
    ):  # fmt: skip
        told, message = refused(client, 'LoadWorld', **fields)
        assert told == getattr(LoadWorld.Response, code), (fields, message)
        assert state_of(client) == PLAYING
        assert entities(client) == ALL
    assert client.trigger('reload').success, 'the parameters name the old world again'
    assert entities(client) == ALL


def test_unsupported_elements_are_left_out_unless_that_is_a_failure(share):
    _, client = share(PAUSED, given=AT_FIRST)
    assert done(client, 'LoadWorld', resource_string=EFFECTS).world.name == 'lamp'
    fields = {'resource_string': HALL, 'fail_on_unsupported_element': True}
    assert done(client, 'LoadWorld', **fields).world.name == 'hall'


def test_a_compiled_world_has_the_name_of_its_file(share, tmp_path):
    file = tmp_path / 'garden.mjb'
    mujoco.mj_saveModel(mujoco.MjModel.from_xml_string(GARDEN), str(file))
    _, client = share(PAUSED, given=AT_FIRST)
    assert done(client, 'LoadWorld', uri=str(file)).world.name == 'garden'


def test_without_a_world_nothing_runs_until_one_is_loaded(share, folder):
    _, client = share(PAUSED, given=AT_FIRST)
    assert client.pause(False).success
    done(client, 'UnloadWorld')
    no_world = SimulationState.STATE_NO_WORLD
    assert state_of(client) == no_world
    assert entities(client) == []
    assert refused(client, 'UnloadWorld')[0] == UnloadWorld.Response.NO_WORLD_LOADED
    assert refused(client, 'GetCurrentWorld')[0] == GetCurrentWorld.Response.NO_WORLD_LOADED
    for kind, fields in (
        ('StepSimulation', {}),
        ('ResetSimulation', {}),
        ('SpawnEntity', {'resource_string': CUBE}),
    ):
        assert refused(client, kind, **fields)[0] == Result.RESULT_INCORRECT_STATE, kind
    wrong_way = SetSimulationState.Response.INCORRECT_TRANSITION
    assert set_state(client, PLAYING).result == wrong_way
    done(client, 'LoadWorld', uri=str(folder / 'hall.xml'))
    assert state_of(client) == STOPPED
    done(client, 'UnloadWorld')
    assert client.trigger('reload').success
    assert state_of(client) == STOPPED
    assert entities(client) == ['crate']
    assert set_state(client, PLAYING).result == OK


def test_available_worlds_are_those_of_the_parameter_and_of_the_request(start, folder, tmp_path):
    more = tmp_path / 'more.xml'
    more.write_text(HALL.replace('"hall"', '"more"'))
    _, client = start({**PAUSED, 'worlds': [str(folder)]})
    names = [each.name for each in done(client, 'GetAvailableWorlds').worlds]
    assert names == ['garden', 'hall']
    sources = [str(more), 'http://localhost/far.xml']

    def names_of(**fields):
        answer = done(client, 'GetAvailableWorlds', additional_sources=sources, **fields)
        return [each.name for each in answer.worlds]

    assert names_of() == ['garden', 'hall', 'more', 'far']
    assert names_of(offline_only=True) == ['garden', 'hall', 'more']
    assert names_of(filter=TagsFilter(tags=['indoor', 'wet'])) == ['hall', 'more']
    hall = done(client, 'GetAvailableWorlds').worlds[1]
    assert (hall.world_resource.uri, list(hall.tags)) == (
        f'{folder}/hall.xml', ['indoor', 'large'],
    )  # fmt: skip


def test_a_place_without_worlds_fails_the_request_unless_it_goes_on(start, folder):
    _, client = start({**PAUSED, 'worlds': ['/no/such', str(folder)]})
    failed = GetAvailableWorlds.Response.DEFAULT_SOURCES_FAILED
    assert refused(client, 'GetAvailableWorlds')[0] == failed
    found = done(client, 'GetAvailableWorlds', continue_on_error=True).worlds
    assert len(found) == 2
    assert client.set_parameters(worlds=[str(folder)])[0].successful
    code, message = refused(client, 'GetAvailableWorlds', additional_sources=['/nor/this'])
    assert (code, message) == (Result.RESULT_NOT_FOUND, '/nor/this: no such file or folder')


def test_while_a_world_is_loaded_the_state_says_so(share):
    _, client = share(PAUSED, given=AT_FIRST)
    many = '<geom size="1"/>' * 20_000
    text = f'<mujoco><worldbody><body name="many">{many}</body></worldbody></mujoco>'
    loading = client.call_async(
        LoadWorld, service_name('LoadWorld'), request_of('LoadWorld', resource_string=text)
    )
    wait_until(
        lambda: loading.done() or state_of(client) == SimulationState.STATE_LOADING_WORLD,
        'the load',
    )
    assert not loading.done()
    assert set_state(client, PLAYING).result == SetSimulationState.Response.INCORRECT_TRANSITION
    wait_until(loading.done, 'the world')
    assert loading.result().result.result == OK
    assert state_of(client) == STOPPED


SECRET = 'swordfish 8271'


def test_in_a_protected_run_worlds_need_the_hash(start):
    _, client = start({**PAUSED, 'eval_mode': True, 'admin_hash': SECRET})
    for kind in (
        'GetSpawnables', 'GetNamedPoses', 'GetNamedPoseBounds', 'LoadWorld', 'UnloadWorld',
        'GetCurrentWorld', 'GetAvailableWorlds',
    ):  # fmt: skip
        assert f'~/{service_name(kind)} needs the admin hash' in refused(client, kind)[1]
        assert client.set_parameters(admin_hash=f'{SECRET} {service_name(kind)}')[0].successful
        assert 'admin hash' not in refused(client, kind)[1]
