"""The check list of Isaac Sim's public tests of the standard services, as far as it fits MuJoCo.

These tests (isaac-sim/IsaacSim, test_sim_control_services.py) are a public list of what a
simulator is asked. The table has each check, and the test of ours that makes it: in the files
test_simulation_interfaces_run, _entities, _changes and _worlds, or in this file (here). Names of
tests are cut at `...`. Letters are the differences below the table.

==========================================  =====================================================
what is called, and what has to come        the test
==========================================  =====================================================
features: numbers, formats and a text       run: the_features_are_those_of_the_version; worlds:
                                              the_features_of_worlds_are_told
state: stopped at first, then as others     run: the_states_follow_the_other_services_too
  set it
state set: playing, paused, stopped         run: the_state_goes_from_stopped_to_playing_...
entities: all of the model                  entities: entities_are_the_top_level_bodies_...
info: the category of what moves, of        here: infos_have_the_category_... (a)
  what does not
state of an entity: placed, then running    here: the_state_of_an_entity_that_was_placed_...
states of entities: a part of the name,     here: states_are_those_of_the_entities_...
  its beginning
state of an entity set: running             here: a_running_entity_is_placed_and_moved (b)
state of an entity set: stopped, free       here: a_stopped_entity_is_placed_and_stays_stopped
  and fixed
spawned without a pose, after another       here: without_a_pose_an_entity_is_at_the_origin
  was deleted
spawned with position and orientation       here: an_entity_is_spawned_with_position_and_...
spawned without a resource                  changes: what_cannot_be_spawned_... (c)
spawned under a name that is taken,         changes: a_name_that_is_taken_gets_a_number_...
  renamed
spawned with a namespace: the name, the     here: a_namespace_is_in_the_topics_and_not_...
  topics
spawned: name taken, nothing there, no      changes: what_cannot_be_spawned_... (d),
  name                                        a_name_that_is_taken_...,
                                              urdf_and_files_can_be_spawned
deleted; what is not there is not found     changes: an_entity_is_deleted_once; entities:
                                              an_unknown_entity_is_not_found
reset while running: spawned gone, the      here: a_reset_deletes_what_was_spawned_and_... (e)
  others there
steps: 1, 2, 5, each moves; still paused    here: each_step_moves_the_model_and_leaves_it_paused
  after each
steps while running                         run: a_running_simulation_makes_no_single_steps (f)
action of steps: moves; still paused        here: the_action_moves_the_model_and_leaves_it_paused
action of steps while running               run: a_running_simulation_makes_no_single_steps (f)
world loaded by a place, and by one of      here: a_world_is_told_by_the_place_that_was_asked_for
  the package
world loaded: nothing there, another        here: what_is_no_model_is_refused_... (d)
  format
present world: of no file, then of one      worlds: the_present_world_is_told_and_another_one_...
world unloaded, twice                       worlds: without_a_world_nothing_runs_... (g)
worlds: name and place of each, any or      here: worlds_are_filtered_by_any_or_all_tags (h)
  all tags
worlds: more sources, sources that fail,    here: a_source_that_fails_is_left_out_...; worlds:
  offline                                     available_worlds_are_those_of_the_parameter_and_...
several spawned: all, some; results,        here: of_several_entities_each_is_at_its_pose;
  names, poses                                changes: of_several_entities_those_that_can_... (c)
bounds: boxes; not found                    entities: bounds_are_those_of_the_geoms_in_... (i),
                                              an_unknown_entity_is_not_found
spawnables: place, description, bounds;     worlds: spawnables_have_the_place_...,
  sources                                     spawnables_are_looked_for_where_the_request_says
                                              (j)
==========================================  =====================================================

Where this server answers otherwise, the standard says so, or a client would be misled:

(a) What cannot move is a static object, a category of the standard; there it is an object.
(b) A twist of what does not move freely is refused (0) and changes nothing; there it is ignored.
(c) Without URI and text there is nothing to spawn: 104, the standard's number for this; there an
    empty frame appears.
(d) A file that is not there is no resource (104, for worlds 102); there it does not parse.
(e) A reset takes back the start of the model; there the state in which the run began.
(f) The result is 4, as the standard says of these two; there it is 3.
(g) The second time no world is loaded: 101, the standard's number for this; there it succeeds.
(h) Tags are words that a world tells of itself; there they are parts of its place.
(i) Bounds are relative to the entity, the upper corner first, as the standard says; there they
    are those in the world, the lower corner first.
(j) A spawnable has the box that it needs; there it has no bounds.
"""

from __future__ import annotations

import pytest

pytest.importorskip('simulation_interfaces.srv', reason='simulation_interfaces was not built')

from action_msgs.msg import GoalStatus
from sensor_msgs.msg import JointState
from simulation_interfaces import srv
from simulation_interfaces.action import SimulateSteps
from simulation_interfaces.msg import (
    EntityCategory,
    EntityFilters,
    EntityState,
    Resource,
    Result,
    SpawnEntity,
    TagsFilter,
)

from .faults import between_witnesses, environment, with_plugins
from .harness import answered_goal, seconds, wait_until
from .standard_requests import (
    ALL,
    CUBE,
    OK,
    PAUSED,
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
    set_state,
    spawn,
    state_of,
)

pytestmark = pytest.mark.slow
PACKAGE = 'package://mujoco_ros_py/examples/pendulum.xml'
AT_START = {'mujoco_xml': WORLD, 'unpause': False, 'worlds': [PACKAGE], 'modelfile': ''}
WEIGHTLESS = {
    **AT_START, 'mujoco_xml': WORLD.replace('<option', '<option gravity="0 0 0"'),
}  # fmt: skip
PENDULUM = """
<mujoco model="pendulum">
  <worldbody>
    <body name="rod"><joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/></body>
  </worldbody>
</mujoco>
"""


def place(client, name, position, linear=(0, 0, 0), angular=(0, 0, 0), quat=TURNED):
    """Returns number and message of the result of placing and moving an entity in the world."""
    stamped = pose_in('', *position, quat=quat)
    state = EntityState(header=stamped.header, pose=stamped.pose)
    for vector, given in ((state.twist.linear, linear), (state.twist.angular, angular)):
        vector.x, vector.y, vector.z = map(float, given)
    flags = {'set_pose': True, 'set_twist': True} if SECOND_VERSION else {}
    return refused(client, 'SetEntityState', entity=name, state=state, **flags)


def seen(client, name):
    return done(client, 'GetEntityState', entity=name).state


def height(client):
    return seen(client, 'ball').pose.position.z


def assert_on_the_way(state, start, velocity):
    """Checks that a state is one of a free motion that began at `start` with this velocity."""
    assert numbers(state.twist.linear) == list(velocity)
    moved = [(at - begin) / speed for at, begin, speed in zip(
        numbers(state.pose.position), start, velocity, strict=True
    )]  # fmt: skip
    assert moved == pytest.approx([moved[0]] * 3, abs=1e-4)
    assert 0 <= moved[0] <= seconds(state.header.stamp) + 1e-4


def test_infos_have_the_category_that_the_model_shows(share):
    _, client = share(AT_START)
    for name, category in (
        ('ball', EntityCategory.CATEGORY_OBJECT),
        ('table', EntityCategory.CATEGORY_STATIC_OBJECT),
        ('arm', EntityCategory.CATEGORY_ROBOT),
    ):
        info = done(client, 'GetEntityInfo', entity=name).info
        assert (info.category.category, info.description, info.tags) == (category, '', []), name


def test_the_state_of_an_entity_that_was_placed_goes_on_from_there(share):
    _, client = share(WEIGHTLESS)
    assert place(client, 'ball', (1.5, 2, 3), (0.5, 1, 1.5), (0.1, 0.2, 0.3))[0] == OK
    assert place(client, 'table', (3, 4, 1))[0] == OK
    assert set_state(client, PLAYING).result == OK
    wait_until(lambda: seconds(seen(client, 'ball').header.stamp) > 0.1, 'steps')
    state = seen(client, 'ball')
    assert_on_the_way(state, (1.5, 2, 3), (0.5, 1, 1.5))
    assert numbers(state.twist.angular) == [0.1, 0.2, 0.3]
    resting = seen(client, 'table')
    assert numbers(resting.pose.position) == [3, 4, 1]
    assert numbers(resting.twist.linear) == numbers(resting.twist.angular) == [0, 0, 0]


def test_states_are_those_of_the_entities_whose_names_the_filter_finds(share):
    _, client = share(WEIGHTLESS)
    assert place(client, 'table', (3, 4, 1))[0] == OK
    assert set_state(client, PLAYING).result == OK

    def found(expression):
        filters = EntityFilters(filter=expression)
        answer = done(client, 'GetEntitiesStates', filters=filters)
        return dict(zip(answer.entities, answer.states, strict=True))

    assert list(found('')) == ALL
    assert list(found('l')) == ['floor', 'ball', 'table']
    states = found('^ta')
    assert list(states) == ['table', 'target']
    assert numbers(states['table'].pose.position) == [3, 4, 1]
    assert numbers(states['target'].pose.position) == [0, 0, 9]
    for state in states.values():
        assert numbers(state.twist.linear) == numbers(state.twist.angular) == [0, 0, 0]


def test_a_running_entity_is_placed_and_moved(share):
    _, client = share(WEIGHTLESS)
    assert client.pause(False).success
    assert place(client, 'ball', (2.5, 3, 4), (1, 2, 3), (0.1, 0.2, 0.3))[0] == OK
    state = seen(client, 'ball')
    assert_on_the_way(state, (2.5, 3, 4), (1, 2, 3))
    assert numbers(state.twist.angular) == [0.1, 0.2, 0.3]

    code, message = place(client, 'table', (5, 6, 2), (5, 6, 7), (0.5, 0.6, 0.7))
    assert (code, message) == (
        Result.RESULT_FEATURE_UNSUPPORTED,
        "the entity 'table' does not move freely: its twist must be zero",
    )
    assert pose_of(client, 'table')[0] == [2, 0, 0]
    assert place(client, 'table', (5, 6, 2))[0] == OK
    assert pose_of(client, 'table') == ([5, 6, 2], [0, 0, 0.707107, 0.707107])
    assert_on_the_way(seen(client, 'ball'), (2.5, 3, 4), (1, 2, 3))
    assert state_of(client) == PLAYING


def test_a_stopped_entity_is_placed_and_stays_stopped(share):
    _, client = share(WEIGHTLESS)
    assert client.pause(False).success
    assert set_state(client, STOPPED).result == OK
    assert place(client, 'ball', (1.5, 2.5, 3.5), (0.5, 1.5, 2.5))[0] == OK
    assert place(client, 'table', (4.5, 5.5, 1.5))[0] == OK
    assert state_of(client) == STOPPED
    assert pose_of(client, 'ball') == ([1.5, 2.5, 3.5], [0, 0, 0.707107, 0.707107])
    assert numbers(seen(client, 'ball').twist.linear) == [0.5, 1.5, 2.5]
    assert pose_of(client, 'table')[0] == [4.5, 5.5, 1.5]


def test_without_a_pose_an_entity_is_at_the_origin(share):
    _, client = share(AT_START)
    done(client, 'DeleteEntity', entity='ball')
    assert 'ball' not in entities(client)
    done(client, 'SpawnEntity', uri=PACKAGE, name='basic')
    assert 'basic' in entities(client)
    assert pose_of(client, 'basic') == ([0, 0, 0], [0, 0, 0, 1])


def test_an_entity_is_spawned_with_position_and_orientation(share):
    _, client = share(AT_START)
    done(client, 'SpawnEntity', uri=PACKAGE, initial_pose=pose_in('', 1, 2, 3, quat=TURNED))
    assert pose_of(client, 'pendulum') == ([1, 2, 3], [0, 0, 0.707107, 0.707107])


def test_a_namespace_is_in_the_topics_and_not_in_the_name(share):
    _, client = share(AT_START)
    answer = spawn(client, PENDULUM, name='walker', entity_namespace='robot1')
    assert (answer.result.result, answer.entity_name) == (OK, 'walker')
    assert entities(client) == [*ALL, 'walker']
    assert set_state(client, PLAYING).result == OK
    states = client.collect(JointState, '/robot1/joint_states', reliable=False)
    wait_until(lambda: states and seconds(states[-1].header.stamp) > 0, 'joint states')
    names = [name for name, _ in client.node.get_topic_names_and_types()]
    assert '/robot1/joint_states' in names


def test_a_reset_deletes_what_was_spawned_and_takes_the_rest_back(share):
    _, client = share(WEIGHTLESS)
    spawn(client, name='spawned', initial_pose=pose_in('', 0, 8, 0))
    assert place(client, 'ball', (5, 5, 5), (2, 2, 2))[0] == OK
    assert set_state(client, PLAYING).result == OK
    done(client, 'ResetSimulation')
    assert state_of(client) == PLAYING
    assert entities(client) == ALL
    assert pose_of(client, 'ball') == ([0, 0, 3], [0, 0, 0, 1])


def test_each_step_moves_the_model_and_leaves_it_paused(share):
    _, client = share(AT_START)
    assert client.pause(False).success
    assert set_state(client, PAUSED).result == OK
    assert place(client, 'ball', (0, 0, 5), (0, 0, -1))[0] == OK
    before = height(client)
    assert before == 5
    for steps in (1, 2, 5):
        done(client, 'StepSimulation', steps=steps)
        assert state_of(client) == PAUSED
        assert height(client) < before - 0.01 * steps
        before = height(client)
    assert height(client) == before, 'no step after the last'


def test_the_action_moves_the_model_and_leaves_it_paused(share):
    _, client = share(AT_START)
    assert place(client, 'ball', (0, 0, 5), (0, 0, -1))[0] == OK
    actions = client.actions(SimulateSteps, '/mujoco_server/simulate_steps')
    wait_until(actions.server_is_ready, 'the action')
    future = answered_goal(actions, SimulateSteps.Goal(steps=5)).get_result_async()
    wait_until(future.done, 'the result')
    assert future.result().status == GoalStatus.STATUS_SUCCEEDED
    assert future.result().result.result.result == OK
    assert state_of(client) == PAUSED
    assert height(client) < 5 - 0.01 * 5


@pytest.mark.parametrize('form', ['{}', 'file://{}', PACKAGE])
def test_a_world_is_told_by_the_place_that_was_asked_for(share, tmp_path, form):
    path = tmp_path / 'pendulum.xml'
    path.write_text(PENDULUM)
    uri = form.format(path)
    _, client = share(AT_START, given={'worlds': [uri], 'mujoco_xml': WORLD, 'modelfile': ''})
    answer = done(client, 'LoadWorld', uri=uri)
    assert (answer.world.name, answer.world.world_resource.uri) == ('pendulum', uri)
    assert done(client, 'GetCurrentWorld').world == answer.world
    (available,) = done(client, 'GetAvailableWorlds').worlds
    assert available == answer.world
    assert not set(entities(client)) & set(ALL)
    assert refused(client, 'LoadWorld', uri=f'{tmp_path}/none.xml')[0] != OK
    assert client.trigger('reload').success
    assert done(client, 'GetCurrentWorld').world == answer.world
    done(client, 'LoadWorld', resource_string=WORLD)
    assert done(client, 'GetCurrentWorld').world.world_resource.uri == ''


def test_what_is_no_model_is_refused_with_the_reason(share, tmp_path):
    _, client = share(AT_START)
    for name, content, code in (
        ('none.xml', None, 'NO_RESOURCE'),
        ('none.obj', None, 'NO_RESOURCE'),
        ('mesh.obj', b'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n', 'UNSUPPORTED_FORMAT'),
        ('stage.usda', b'#usda 1.0\nrel a = </World>\n', 'UNSUPPORTED_FORMAT'),
        ('stage.usdc', b'PXR-USDC\0\0\0\1\xff\xfe', 'UNSUPPORTED_FORMAT'),
        ('world.sdf', b'<sdf version="1.6"><world name="w"/></sdf>', 'UNSUPPORTED_FORMAT'),
        ('broken.xml', b'<mujoco', 'RESOURCE_PARSE_ERROR'),
    ):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        for kind in (srv.LoadWorld, srv.SpawnEntity):
            told, message = refused(client, kind.__name__, uri=str(tmp_path / name))
            assert told == getattr(kind.Response, code), (name, message)
    assert entities(client) == ALL


def test_worlds_are_filtered_by_any_or_all_tags(share, tmp_path):
    for name, tags in (('depot', 'warehouse simple'), ('hall', 'warehouse'), ('yard', 'outdoor')):
        text = f'<mujoco><custom><text name="tags" data="{tags}"/></custom></mujoco>'
        (tmp_path / f'{name}.xml').write_text(text)
    _, client = share(AT_START, given={'worlds': [str(tmp_path)]})

    def names(mode, *tags):
        wanted = TagsFilter(tags=tags, filter_mode=mode)
        worlds = done(client, 'GetAvailableWorlds', filter=wanted).worlds
        assert [each.world_resource.uri for each in worlds] == [
            f'{tmp_path}/{each.name}.xml' for each in worlds
        ]
        return [each.name for each in worlds]

    either, every = TagsFilter.FILTER_MODE_ANY, TagsFilter.FILTER_MODE_ALL
    assert names(either) == names(every) == ['depot', 'hall', 'yard']
    assert names(either, 'warehouse', 'simple') == ['depot', 'hall']
    assert names(every, 'warehouse', 'simple') == ['depot']
    assert names(every, 'warehouse', 'outdoor') == []
    wrong = TagsFilter(tags=['warehouse'], filter_mode=2)
    code, message = refused(client, 'GetAvailableWorlds', filter=wrong)
    assert (code, message) == (
        Result.RESULT_OPERATION_FAILED, 'filter_mode must be 0 (any) or 1 (all), got 2',
    )  # fmt: skip


def test_a_source_that_fails_is_left_out_where_the_request_says_so(share, tmp_path):
    (tmp_path / 'hall.xml').write_text('<mujoco model="hall"/>')
    _, client = share(AT_START, given={'worlds': [str(tmp_path)]})
    sources = {'additional_sources': ['/no/such/folder', PACKAGE]}
    assert refused(client, 'GetAvailableWorlds', **sources)[0] == Result.RESULT_NOT_FOUND
    for offline in (False, True):
        answer = done(
            client, 'GetAvailableWorlds', **sources, continue_on_error=True, offline_only=offline
        )
        assert [each.name for each in answer.worlds] == ['hall', 'pendulum']


def test_of_several_entities_each_is_at_its_pose(share):
    _, client = share(AT_START)
    robot = SpawnEntity(
        name='robot', entity_resource=Resource(uri=PACKAGE), initial_pose=pose_in('', 1, 2, 0)
    )
    cube = SpawnEntity(name='cube', entity_resource=Resource(resource_string=CUBE))
    answer = done(client, 'SpawnEntities', spawn_requests=[robot, cube])
    assert [(each.result.result, each.entity_name) for each in answer.results] == [
        (OK, 'robot'), (OK, 'cube'),
    ]  # fmt: skip
    assert pose_of(client, 'robot') == ([1, 2, 0], [0, 0, 0, 1])
    assert pose_of(client, 'cube') == ([0, 0, 0], [0, 0, 0, 1])

    good = SpawnEntity(name='good', entity_resource=Resource(resource_string=CUBE))
    bad = SpawnEntity(name='bad', entity_resource=Resource(uri='/no/such/robot.xml'))
    failed = ask(client, 'SpawnEntities', spawn_requests=[good, bad])
    assert failed.result.result == srv.SpawnEntities.Response.ENTITIES_SPAWN_FAILED
    assert [each.result.result == OK for each in failed.results] == [True, False]
    assert entities(client) == [*ALL, 'robot', 'cube', 'good']


def test_a_transition_that_was_tried_and_failed_has_its_own_number(start):
    plugins = between_witnesses('faulty/Fatal', stage='control_callback', after=0.1)
    process, client = start(with_plugins(*plugins), **environment())
    process.wait_for_output('the simulation stopped')
    told = set_state(client, PLAYING)
    assert told.result == srv.SetSimulationState.Response.STATE_TRANSITION_ERROR
    assert 'invalid state signature' in told.error_message
    assert state_of(client) == PAUSED
