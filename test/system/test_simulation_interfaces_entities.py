"""The standard services that tell of entities: names, states, infos, bounds, and filters."""

from __future__ import annotations

import pytest

pytest.importorskip('simulation_interfaces.srv', reason='simulation_interfaces was not built')

from geometry_msgs.msg import Vector3
from simulation_interfaces.msg import (
    Bounds,
    EntityCategory,
    EntityFilters,
    EntityInfo,
    Result,
    SimulatorFeatures,
    TagsFilter,
)

from .standard_requests import ALL, WORLD, ask, done, entities, numbers, refused, spawn

pytestmark = pytest.mark.slow
PAUSED = {'mujoco_xml': WORLD, 'unpause': False}
BY_NAME = [
    'GetEntityState', 'GetEntityInfo', 'GetEntityBounds', 'SetEntityInfo', 'SetEntityState',
    'DeleteEntity',
]  # fmt: skip


def points(*each):
    return [Vector3(**dict(zip('xyz', map(float, point), strict=True))) for point in each]


def bounds(kind, *each):
    return Bounds(type=kind, points=points(*each))


def filter_refused(client, **filters):
    return refused(client, 'GetEntities', filters=EntityFilters(**filters))


def test_the_features_of_entities_are_told(share):
    _, client = share(PAUSED)
    found = set(ask(client, 'GetSimulatorFeatures').features.features)
    assert {
        SimulatorFeatures.ENTITY_TAGS,
        SimulatorFeatures.ENTITY_BOUNDS,
        SimulatorFeatures.ENTITY_BOUNDS_BOX,
        SimulatorFeatures.ENTITY_BOUNDS_CONVEX,
        SimulatorFeatures.ENTITY_CATEGORIES,
        SimulatorFeatures.ENTITY_STATE_GETTING,
        SimulatorFeatures.ENTITY_STATE_SETTING,
        SimulatorFeatures.ENTITY_INFO_GETTING,
        SimulatorFeatures.ENTITY_INFO_SETTING,
        SimulatorFeatures.SPAWNING,
        SimulatorFeatures.SPAWNING_ENTITIES,
        SimulatorFeatures.SPAWNING_RESOURCE_STRING,
        SimulatorFeatures.DELETING,
    } <= found


def test_entities_are_the_top_level_bodies_and_what_was_spawned(share):
    _, client = share(PAUSED)
    assert entities(client) == ALL
    assert spawn(client).entity_name == 'cube'
    assert entities(client) == [*ALL, 'cube']


def test_an_unknown_entity_is_not_found(share):
    _, client = share(PAUSED)
    for kind in BY_NAME:
        code, message = refused(client, kind, entity='bal')
        assert code == Result.RESULT_NOT_FOUND, kind
        assert message.startswith("unknown entity 'bal' (did you mean 'ball'?); known: arm, ball,")


def test_names_are_filtered_by_posix_expressions(share):
    _, client = share(PAUSED)
    assert entities(client, filter='^(ball|table)$') == ['ball', 'table']
    assert entities(client, filter='a[[:lower:]]+m?$') == ['ball', 'table', 'arm', 'target']
    assert entities(client, filter='nothing') == []
    code, message = filter_refused(client, filter='(ball')
    assert code == Result.RESULT_OPERATION_FAILED
    assert "'(ball': missing )" in message


def test_categories_are_seen_in_the_model_and_can_be_told(share):
    _, client = share(PAUSED)
    of = EntityCategory
    assert entities(client, categories=[of(category=of.CATEGORY_ROBOT)]) == ['arm']
    static = [of(category=of.CATEGORY_STATIC_OBJECT)]
    assert entities(client, categories=static) == ['floor', 'table']
    assert entities(client, categories=[of(category=of.CATEGORY_OBJECT)]) == ['ball', 'target']

    told = EntityInfo(
        category=of(category=of.CATEGORY_HUMAN), description='a guest', tags=['blue', 'round']
    )
    done(client, 'SetEntityInfo', entity='ball', info=told)
    assert done(client, 'GetEntityInfo', entity='ball').info == told
    assert entities(client, categories=[told.category, *static]) == ['floor', 'ball', 'table']
    done(client, 'SetEntityInfo', entity='ball', info=EntityInfo(category=static[0]))
    wrong = EntityInfo(category=of(category=6))
    code, message = refused(client, 'SetEntityInfo', entity='ball', info=wrong)
    assert (code, message) == (
        Result.RESULT_FEATURE_UNSUPPORTED,
        'category must be at most 5, got 6',
    )


def test_tags_are_filtered_by_any_or_all(share):
    _, client = share(PAUSED)
    for name, tags in (('ball', ['a', 'b']), ('table', ['b']), ('arm', ['c'])):
        done(client, 'SetEntityInfo', entity=name, info=EntityInfo(tags=tags))

    def tagged(tags, mode):
        return entities(client, tags=TagsFilter(tags=tags, filter_mode=mode))

    assert tagged(['a', 'b'], TagsFilter.FILTER_MODE_ANY) == ['ball', 'table']
    assert tagged(['a', 'b'], TagsFilter.FILTER_MODE_ALL) == ['ball']
    assert tagged(['z'], TagsFilter.FILTER_MODE_ANY) == []
    code, message = filter_refused(client, tags=TagsFilter(tags=['a'], filter_mode=5))
    assert (code, message) == (4, 'filter_mode must be 0 (any) or 1 (all), got 5')
    both = entities(client, filter='^t', tags=TagsFilter(tags=['b']))
    assert both == ['table']


def test_what_was_told_is_gone_with_its_entity(share):
    _, client = share(PAUSED)
    spawn(client)
    done(client, 'SetEntityInfo', entity='cube', info=EntityInfo(description='old'))
    done(client, 'DeleteEntity', entity='cube')
    spawn(client)
    assert done(client, 'GetEntityInfo', entity='cube').info.description == ''


def test_bounds_are_those_of_the_geoms_in_the_frame_of_the_entity(share):
    _, client = share(PAUSED)
    for name, upper, lower in (
        ('ball', [0.5, 0.5, 0.5], [-0.5, -0.5, -0.5]),
        ('table', [0.4, 0.2, 0.1], [-0.4, -0.2, -0.1]),
        ('arm', [1.1, 0.1, 0.1], [-0.1, -0.1, -0.1]),
        ('target', [0, 0, 0], [0, 0, 0]),
    ):
        found = done(client, 'GetEntityBounds', entity=name).bounds
        assert (found.type, *map(numbers, found.points)) == (Bounds.TYPE_BOX, upper, lower), name
    found = done(client, 'GetEntityBounds', entity='floor').bounds
    assert (found.type, found.points) == (Bounds.TYPE_EMPTY, [])


def test_entities_are_filtered_by_the_space_that_they_take(share):
    _, client = share(PAUSED)
    for region, expected in (
        (bounds(Bounds.TYPE_EMPTY), ALL),
        (bounds(Bounds.TYPE_BOX, (0.5, 0.5, 3), (0.2, 0.2, 2)), ['floor', 'ball']),
        (bounds(Bounds.TYPE_BOX, (2.1, 0.5, 0), (1.9, 0.35, 0)), ['floor', 'table']),
        (bounds(Bounds.TYPE_BOX, (2.5, 0.1, 0), (2.3, -0.1, 0)), ['floor']),
        (bounds(Bounds.TYPE_SPHERE, (0, 0, 7), (2.1, 0, 0)), ['floor', 'target']),
        (bounds(Bounds.TYPE_SPHERE, (0, 0, 6.5), (3.1, 0, 0)), ['floor', 'ball', 'target']),
        (bounds(Bounds.TYPE_CONVEX_HULL, (0, 3, 0), (0.9, 5, 0), (0.9, 5, 1)), ['floor', 'arm']),
    ):
        assert entities(client, bounds=region) == expected, region
    code, message = filter_refused(client, bounds=bounds(Bounds.TYPE_SPHERE, (0, 0, 0)))
    assert (code, message) == (4, 'a sphere must have 2 points, got 1')


def test_states_have_pose_twist_and_acceleration_in_the_world(start):
    _, client = start({**PAUSED, 'frame_prefix': 'lab/'})
    done(client, 'StepSimulation', steps=10)
    state = done(client, 'GetEntityState', entity='ball').state
    assert (state.header.frame_id, state.header.stamp.nanosec) == ('lab/world', 100_000_000)
    assert numbers(state.pose.position) == [0, 0, round(3 - 9.81 * 1e-4 * 55, 6)]
    assert numbers(state.twist.linear) == [0, 0, -0.981]
    assert numbers(state.acceleration.linear) == [0, 0, -9.81]
    resting = done(client, 'GetEntityState', entity='table').state
    assert numbers(resting.pose.orientation) == [0, 0, 0.707107, 0.707107]
    assert numbers(resting.acceleration.linear) == [0, 0, 0]


def test_states_of_several_entities_are_of_one_time(share):
    _, client = share(PAUSED)
    assert client.pause(False).success
    found = done(client, 'GetEntitiesStates', filters=EntityFilters(filter='^(ball|target)$'))
    assert list(found.entities) == ['ball', 'target']
    assert numbers(found.states[1].pose.position) == [0, 0, 9]
    first, second = (state.header.stamp for state in found.states)
    assert first == second
