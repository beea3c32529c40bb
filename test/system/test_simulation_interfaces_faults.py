"""The standard services under hostile requests: bombs, floods, broken robots, all at once."""

from __future__ import annotations

import itertools

import pytest

pytest.importorskip('simulation_interfaces.srv', reason='simulation_interfaces was not built')

from simulation_interfaces import srv
from simulation_interfaces.msg import EntityFilters, Result
from simulation_interfaces.srv import SpawnEntity
from std_srvs.srv import Trigger

from .harness import wait_until
from .standard_requests import (
    ALL,
    CUBE,
    OK,
    WORLD,
    ask,
    done,
    entities,
    pose_in,
    refused,
    request_of,
    service_name,
    spawn,
)

pytestmark = pytest.mark.slow
PAUSED = {'mujoco_xml': WORLD, 'unpause': False, 'model_memory_limit': 512}
HUGE = '<asset><texture type="2d" builtin="flat" width="40000" height="40000" name="t"/></asset>'
BODY = '<worldbody><body><geom size="1"/></body></worldbody>'
ENTITIES = """<!DOCTYPE mujoco [
<!ENTITY a "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
<!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">
]>
<mujoco model="&d;"/>"""


@pytest.mark.parametrize(
    'text',
    [f'<mujoco>{HUGE}{BODY}</mujoco>', '<mujoco>' + '<worldbody>' * 5000],
    ids=['memory', 'depth'],
)
def test_a_bomb_is_refused_and_the_server_goes_on(share, text):
    process, client = share(PAUSED)
    code, message = refused(client, 'SpawnEntity', resource_string=text)
    assert code == SpawnEntity.Response.RESOURCE_PARSE_ERROR, message
    code, message = refused(client, 'LoadWorld', resource_string=text)
    assert code == srv.LoadWorld.Response.RESOURCE_PARSE_ERROR, message
    assert spawn(client).result.result == OK
    assert entities(client) == [*ALL, 'cube']
    assert process.running()


def test_entities_of_xml_are_not_written_out(share):
    process, client = share(PAUSED, given={'mujoco_xml': WORLD})
    assert refused(client, 'SpawnEntity', resource_string=ENTITIES)[0] != OK
    done(client, 'LoadWorld', resource_string=ENTITIES)
    assert len(done(client, 'GetCurrentWorld').world.name) < 1000
    assert process.running()


def test_an_entity_that_diverges_stops_nothing_but_itself(share):
    _, client = share(PAUSED)
    assert client.pause(False).success
    wild = CUBE.replace('<freejoint/>', '<freejoint/><geom size="1" mass="1e-12"/>')
    spawn(client, wild, name='wild', initial_pose=pose_in('', 0, 0, 3))
    assert ask(client, 'GetEntityState', entity='wild').result.result == OK
    done(client, 'DeleteEntity', entity='wild')
    done(client, 'ResetSimulation')
    assert entities(client) == ALL


def test_a_robot_whose_plugins_are_broken_is_there_without_them(share, tmp_path):
    process, client = share(PAUSED)
    (tmp_path / 'arm.xml').write_text(CUBE)
    (tmp_path / 'arm.plugins.yaml').write_text('- {type: no_such/Plugin}\n')
    done(client, 'SpawnEntity', uri=str(tmp_path / 'arm.xml'), name='arm_2')
    process.wait_for_output('no_such/Plugin')
    (tmp_path / 'arm.plugins.yaml').write_text('no list')
    code, message = refused(client, 'SpawnEntity', uri=str(tmp_path / 'arm.xml'), name='arm_3')
    assert code >= Result.RESULT_OPERATION_FAILED, message
    assert entities(client) == [*ALL, 'arm_2']


def test_all_services_at_once_are_answered_one_by_one(share):
    process, client = share(PAUSED)
    assert client.pause(False).success
    kinds = [
        ('SpawnEntity', {'resource_string': CUBE, 'allow_renaming': True}),
        ('DeleteEntity', {'entity': 'cube'}),
        ('GetEntitiesStates', {'filters': EntityFilters(filter='a|u')}),
        ('SetEntityState', {'entity': 'table'}),
        ('SetEntityState', {'entity': 'ball'}),
        ('ResetSimulation', {'scope': 4}),
        ('GetEntityBounds', {'entity': 'cube'}),
        ('GetSimulationState', {}),
        ('ResetSimulation', {'scope': 255}),
        ('StepSimulation', {}),
        ('GetNamedPoses', {}),
        ('GetCurrentWorld', {}),
    ]
    futures = []
    for number, (kind, fields) in zip(range(60), itertools.cycle(kinds), strict=False):
        request = request_of(kind, **fields)
        futures.append(client.call_async(getattr(srv, kind), service_name(kind), request))
        if number % 20 == 0:
            futures.append(client.call_async(Trigger, 'reload', Trigger.Request()))
    wait_until(lambda: all(future.done() for future in futures), 'answers')
    done(client, 'ResetSimulation')
    assert entities(client) == ALL
    assert 'Traceback' not in process.output
    assert process.running()
