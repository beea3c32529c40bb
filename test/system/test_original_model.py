"""The services of geoms, constraints, gravity and mocap bodies of the original server."""

from __future__ import annotations

import math

import pytest

pytest.importorskip('mujoco_ros_msgs.srv', reason='mujoco_ros_msgs was not built')

from geometry_msgs.msg import Point, Vector3
from mujoco_ros_msgs.msg import (
    EqualityConstraintParameters,
    EqualityConstraintType,
    GeomProperties,
    GeomType,
    MocapState,
)
from mujoco_ros_msgs.srv import GetGravity, SetGravity, SetMocapState

from .original_robot import (
    ALL,
    ROBOT,
    body,
    constraints,
    geom,
    place_of,
    pose,
    set_constraints,
    set_geom,
)

pytestmark = pytest.mark.slow
SOLVER = (0.8, 0.95, 0.002, 0.4, 2.0, 0.3, 0.9)
SOLVER_FIELDS = ('dmin', 'dmax', 'width', 'midpoint', 'power', 'timeconst', 'dampratio')


@pytest.fixture
def client(share):
    """The client of a paused server."""
    return share({'mujoco_xml': ROBOT, 'unpause': False})[1]


def test_an_unknown_geom_fails(client):
    for name in '', 'unknown':
        change = set_geom(client, GeomProperties(name=name), set_mass=True)
        for answer in (geom(client, name), change):
            assert not answer.success
            assert f"unknown geom '{name}'; known: EE, ball, ground" in answer.status_message


def test_mass_friction_each_type_and_size_change_and_read_back(client):
    given = GeomProperties(name='ball', body_mass=0.25)
    answer = set_geom(client, given, set_mass=True)
    assert (answer.success, answer.status_message) == (True, "mass of body 'body_ball' set")
    given.friction_slide, given.friction_spin, given.friction_roll = 0.75, 0.125, 0.0625
    assert set_geom(client, given, set_friction=True).success
    for kind in (
        GeomType.BOX,
        GeomType.CYLINDER,
        GeomType.ELLIPSOID,
        GeomType.CAPSULE,
        GeomType.SPHERE,
    ):
        given.type.value = kind
        assert set_geom(client, given, set_type=True).success
        assert geom(client, 'ball').properties.type.value == kind
    given.size_0 = given.size_1 = given.size_2 = 0.015625
    assert set_geom(client, given, set_size=True).success
    found = geom(client, 'ball')
    assert found.success
    assert found.properties == given
    assert body(client, 'body_ball').state.mass == given.body_mass
    assert client.trigger('step').success


def test_a_part_of_a_geom_that_fails_is_told_and_the_others_are_done(client):
    given = GeomProperties(name='ball', body_mass=math.nan, friction_slide=0.5)
    given.type.value, given.size_0 = 77, 0.2
    flags = {'set_mass': True, 'set_friction': True, 'set_type': True, 'set_size': True}
    answer = set_geom(client, given, **flags)
    assert not answer.success
    assert 'must be above 0 and finite, got nan' in answer.status_message
    assert "type of geom 'ball' must be one of PLANE (0), SPHERE (2)" in answer.status_message
    assert answer.status_message.endswith("; friction of geom 'ball' set")
    found = geom(client, 'ball').properties
    assert (found.friction_slide, found.type.value) == (0.5, GeomType.SPHERE)
    assert found.body_mass == pytest.approx(0.1)


def test_constraints_read_exactly_as_mjcf_has_them(client):
    answer = constraints(client, *ALL)
    assert answer.success, answer.status_message
    weld, joint, tendon, connect = answer.parameters
    for each in answer.parameters:
        assert tuple(getattr(each.solver_parameters, name) for name in SOLVER_FIELDS) == SOLVER
    assert [each.name for each in answer.parameters] == ALL
    types = EqualityConstraintType
    assert [each.type.value for each in answer.parameters] == [
        types.WELD, types.JOINT, types.TENDON, types.CONNECT,
    ]  # fmt: skip
    assert [each.active for each in answer.parameters] == [False, True, True, False]
    assert (weld.element1, weld.torquescale) == ('immovable', 0.9)
    assert weld.relpose.position == Point(x=1.1, y=1.2, z=1.3)
    assert (weld.relpose.orientation.z, weld.relpose.orientation.w) == (1.0, 0.0)
    assert (joint.element1, joint.element2) == ('one', 'two')
    assert list(joint.polycoef) == list(tendon.polycoef) == [0.5, 0.25, 0.76, 0.66, 1.0]
    assert (tendon.element1, tendon.element2) == ('rope', 'wire')
    assert (connect.element1, connect.element2) == ('body_ball', 'immovable')
    assert connect.anchor == Vector3(x=0.1, y=0.2, z=0.3)


def test_all_four_types_are_set_at_once_and_read_back(client):
    given = constraints(client, *ALL).parameters
    for each in given:
        each.active = not each.active
        each.solver_parameters.dmin = 0.7
        each.solver_parameters.timeconst = 0.25
    weld, joint, tendon, connect = given
    weld.torquescale, weld.anchor = 0.4, Vector3(x=0.5)
    weld.relpose.position.x = 7.0
    joint.polycoef = [5.0, 4.0, 3.0, 2.0, 1.0]
    tendon.polycoef = [1.0, 2.0, 3.0, 4.0, 5.0]
    tendon.element1, tendon.element2 = 'wire', 'rope'
    connect.anchor = Vector3(x=1.0, y=2.0, z=3.0)
    answer = set_constraints(client, *given)
    assert answer.success, answer.status_message
    assert constraints(client, *ALL).parameters == given


def test_a_list_with_an_unknown_constraint_answers_false_and_does_the_others(client):
    answer = constraints(client, 'weld_eq', 'unknown', 'connect_eq')
    assert not answer.success
    assert "unknown equality constraint 'unknown'; known: connect_eq" in answer.status_message
    assert [each.name for each in answer.parameters] == ['weld_eq', 'connect_eq']
    joint, tendon = constraints(client, 'joint_eq', 'tendon_eq').parameters
    joint.active = tendon.active = False
    set_ = set_constraints(client, joint, EqualityConstraintParameters(name='unknown'), tendon)
    assert not set_.success
    assert set_.status_message.endswith(
        "; equality constraint 'joint_eq' set; equality constraint 'tendon_eq' set"
    )
    found = constraints(client, 'joint_eq', 'tendon_eq').parameters
    assert [each.active for each in found] == [False, False]
    assert not constraints(client, 'unknown').success


def test_a_constraint_of_another_type_is_not_overwritten(client):
    (given,) = constraints(client, 'joint_eq').parameters
    given.type.value = EqualityConstraintType.WELD
    answer = set_constraints(client, given)
    assert not answer.success
    assert "equality constraint 'joint_eq' has the type joint, got type 1" in answer.status_message


def test_gravity_is_set_and_read(client):
    def get():
        return client.call(GetGravity, 'get_gravity', GetGravity.Request())

    def set_(*gravity):
        return client.call(SetGravity, 'set_gravity', SetGravity.Request(gravity=gravity))

    before = get()
    assert (before.success, list(before.gravity)) == (True, [0, 0, -9.81])
    answer = set_(0.0, 1.0, -2.0)
    assert (answer.success, answer.status_message) == (True, 'gravity set')
    assert list(get().gravity) == [0, 1, -2]
    refused = set_(math.nan, 0.0, 0.0)
    assert (refused.success, list(get().gravity)) == (False, [0, 1, -2])
    assert refused.status_message == 'gravity must be finite, got [nan, 0.0, 0.0]'
    for _ in range(5):
        assert client.trigger('step').success
    assert body(client, 'ball').state.twist.twist.linear.y == pytest.approx(5 * 0.002)


def test_mocap_bodies_are_placed_all_or_none_and_no_other_body_is(share):
    process, client = share({'mujoco_xml': ROBOT, 'unpause': False})

    def place(names, poses):
        request = SetMocapState.Request(mocap_state=MocapState(name=names, pose=poses))
        return client.call(SetMocapState, 'set_mocap_state', request).success

    assert place(['hand'], [pose(1.0, 0.0, 0.0, frame='immovable', quat=(0.0, 2.0, 0.0, 0.0))])
    there = [3, 2, 0.6, 0, 1, 0, 0]
    assert place_of(body(client, 'hand').state.pose) == pytest.approx(there)
    for names, poses in (
        (['hand'], []),
        (['hand', 'body_ball'], [pose(1.0, 0.0, 0.0)] * 2),
        (['hand'], [pose(1.0, 0.0, 0.0, frame='moon')]),
        (['hand'], [pose(math.inf, 0.0, 0.0)]),
    ):
        assert not place(names, poses), (names, poses)
        assert place_of(body(client, 'hand').state.pose) == pytest.approx(there), (names, poses)
    process.wait_for_output('must have a pose for each name, got 1 names and 0 poses')
