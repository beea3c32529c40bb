"""What a contestant can do with the services of the original server: nothing without the hash."""

from __future__ import annotations

import pytest

pytest.importorskip('mujoco_ros_msgs.srv', reason='mujoco_ros_msgs was not built')

from action_msgs.msg import GoalStatus
from mujoco_ros_msgs import srv
from mujoco_ros_msgs.action import Step
from mujoco_ros_msgs.msg import BodyState, EqualityConstraintParameters, GeomProperties, MocapState

from .harness import answered_goal, wait_until
from .original_robot import ROBOT, info, pose

pytestmark = pytest.mark.slow
SECRET = 'swordfish-8271'
EVAL = {'mujoco_xml': ROBOT, 'unpause': False, 'eval_mode': True, 'admin_hash': SECRET}
WITH_A_FIELD = {
    'get_body_state': srv.GetBodyState.Request(name='ball'),
    'set_body_state': srv.SetBodyState.Request(state=BodyState(name='ball')),
    'reset_body_qpos': srv.ResetBodyQPos.Request(name='ball'),
    'get_geom_properties': srv.GetGeomProperties.Request(geom_name='ball'),
    'set_geom_properties': srv.SetGeomProperties.Request(properties=GeomProperties(name='ball')),
    'get_eq_constraint_parameters': srv.GetEqualityConstraintParameters.Request(names=['weld_eq']),
    'set_eq_constraint_parameters': srv.SetEqualityConstraintParameters.Request(
        parameters=[EqualityConstraintParameters(name='connect_eq')]
    ),
    'get_gravity': srv.GetGravity.Request(),
    'set_gravity': srv.SetGravity.Request(gravity=[0.0, 0.0, -9.81]),
    'set_rt_factor': srv.SetFloat.Request(value=1.0),
    'reload_model': srv.Reload.Request(),
}
"""A request for each protected service that has a field for the hash, which succeeds with it."""
MOCAP = srv.SetMocapState.Request(
    mocap_state=MocapState(name=['hand'], pose=[pose(0.0, 0.0, 1.0)])
)


@pytest.fixture
def contest(share):
    """The process and the client of a server that no test reloads without a permission."""
    return share(EVAL, reload=False)


def call(client, name, request, **more):
    kind = getattr(srv, type(request).__name__.partition('_')[0])
    fields = {key: getattr(request, key) for key in type(request).get_fields_and_field_types()}
    return client.call(kind, name, kind.Request(**{**fields, **more}))


def test_each_service_needs_the_hash_and_has_it_from_its_field(contest):
    process, client = contest
    before = info(client).load_count
    for name, request in WITH_A_FIELD.items():
        assert not call(client, name, request).success, name
        assert not call(client, name, request, admin_hash='wrong').success, name
        process.wait_for_output(f'~/{name} needs the admin hash in eval_mode')
        process.wait_for_output(f'~/{name} is refused: admin_hash does not match')
    assert info(client).load_count == before
    for name, request in WITH_A_FIELD.items():
        answer = call(client, name, request, admin_hash=SECRET)
        assert answer.success, (name, answer)
    assert info(client).load_count == before + 1
    assert SECRET not in process.output


def test_what_is_read_shows_nothing_without_the_hash_but_for_what_diagnostics_tell(contest):
    _, client = contest
    for name in ('get_body_state', 'get_geom_properties', 'get_eq_constraint_parameters'):
        answer = call(client, name, WITH_A_FIELD[name])
        assert answer == type(answer)(status_message=answer.status_message)
    assert info(client).paused
    for kind, name in (
        (srv.GetStateUint, 'get_loading_request_state'),
        (srv.GetPluginStats, 'get_plugin_stats'),
    ):
        client.call(kind, name, kind.Request())


def test_a_permission_for_the_service_stands_for_the_hash(contest):
    _, client = contest
    assert client.set_parameters(admin_hash=f'{SECRET} set_mocap_state')[0].successful
    assert not call(client, 'set_gravity', WITH_A_FIELD['set_gravity']).success
    assert call(client, 'set_mocap_state', MOCAP).success
    assert not call(client, 'set_mocap_state', MOCAP).success
    for name, request in WITH_A_FIELD.items():
        assert client.set_parameters(admin_hash=f'{SECRET} {name}')[0].successful
        assert call(client, name, request).success, name


def test_steps_are_made_with_a_permission_only(contest):
    _, client = contest
    actions = client.actions(Step, '/mujoco_server/step')
    wait_until(actions.server_is_ready, 'the action')
    assert not answered_goal(actions, Step.Goal(num_steps=3)).accepted
    assert client.set_parameters(admin_hash=f'{SECRET} step')[0].successful
    handle = answered_goal(actions, Step.Goal(num_steps=3))
    assert handle.accepted
    future = handle.get_result_async()
    wait_until(future.done, 'the result')
    assert future.result().status == GoalStatus.STATUS_SUCCEEDED
    assert not answered_goal(actions, Step.Goal(num_steps=3)).accepted
    assert client.diagnostics()['simulation'][2]['steps'] == '3'
