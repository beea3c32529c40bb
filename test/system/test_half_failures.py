"""The answers of calls that fail in part: the table of docs/reference/services.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip('simulation_interfaces.srv', reason='simulation_interfaces was not built')
pytest.importorskip('mujoco_ros_msgs.srv', reason='the interfaces were not built')
pytest.importorskip('mujoco_ros_py_interfaces.srv', reason='the interfaces were not built')

from mujoco_ros_msgs import srv as original
from mujoco_ros_msgs.msg import BodyState
from mujoco_ros_py_interfaces import srv as states
from mujoco_ros_py_interfaces.msg import NamedValues, Option
from simulation_interfaces.msg import EntityState, SimulationState
from std_srvs.srv import SetBool

from .harness import Client
from .plugin_site import PluginSite, as_text
from .standard_requests import CUBE, OK, SECOND_VERSION, STOPPED, ask

pytestmark = pytest.mark.slow

WORLD = """
<mujoco>
  <worldbody>
    <body name="rod" pos="0 0 1">
      <joint name="hinge" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02"/>
    </body>
    <body name="ball" pos="0.5 0 1"><freejoint/><geom name="skin" size="0.05"/></body>
    <body name="post" pos="0.5 1 1"><geom size="0.05"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
  <keyframe><key name="raised" qpos="1.5 0.5 0 1 1 0 0 0"/></keyframe>
</mujoco>
"""
SOURCE = '''
import mujoco
from mujoco_ros_py.plugins import Adaptable, MujocoPlugin, Savable, Stoppable, compiled


class Brittle(MujocoPlugin, Adaptable, Savable, Stoppable):
    """Raises in the method that its configuration names in `at`."""

    def load(self, model, data):
        self._reach('load')

    def adapt(self, model, data):
        self._reach('adapt')

    def reset(self, model, data):
        self._reach('reset')

    def model_changed(self, model, data, change):
        self._reach('model_changed')

    def save(self):
        self._reach('save')

    def check_saved(self, saved):
        self._reach('check_saved')

    def restore(self, saved):
        self._reach('restore')

    def emergency_stop(self, model, data, stopped):
        self._reach('emergency_stop')

    def control_callback(self, model, data):
        if data.qpos[0] > 0.3:
            self._reach('control_callback')

    def _reach(self, method):
        if self.config['at'] == method:
            raise RuntimeError('broken')


class Fatal(MujocoPlugin):
    """Makes a fatal error of libmujoco in a model of more bodies than the first one has."""

    @compiled
    def control_callback(state, model, data):
        if model.nbody > 4:
            mujoco.mj_stateSize(model, 1 << 30)
'''
HINGE = 'initial_joint_positions.joint_map.hinge'
VELOCITY = 'initial_joint_velocities.joint_map.hinge'
Call = Callable[[Client], tuple[bool, str]]


def plugins(at: str) -> str:
    """Returns three plugins, of which the second raises `at` a method, and an emergency stop."""
    places = {'good': '', 'bad': at, 'fine': ''}
    brittle = [{'type': 'half/Brittle', 'name': name, 'at': at} for name, at in places.items()]
    return as_text(*brittle, {'type': 'mujoco_ros_py/EmergencyStop', 'name': 'stop'})


@pytest.fixture(scope='module')
def site(tmp_path_factory: pytest.TempPathFactory) -> PluginSite:
    site = PluginSite(tmp_path_factory.mktemp('plugins'))
    site.add_module('half', SOURCE)
    return site


@pytest.fixture
def served(share, site):
    """Returns `served(at)`: the client of a paused server whose plugin `bad` raises there."""
    parameters = {
        'mujoco_xml': WORLD,
        'MujocoPlugins': plugins(''),
        HINGE: 0.0,
        VELOCITY: 0.0,
    }

    def begin(at: str = '', **given: Any) -> Client:
        given = {HINGE: 0.0, 'MujocoPlugins': plugins(at), **given}
        return share(parameters, given=given, **site.environment)[1]

    return begin


def trigger(service: str) -> Call:
    return lambda client: told(client.trigger(service))


def own(kind: str, service: str, /, **fields: Any) -> Call:
    """Returns a call of a service of states, values or options."""
    return _call(states, kind, service, fields)


def of_original(kind: str, service: str, /, **fields: Any) -> Call:
    """Returns a call of a service of the original server."""
    return _call(original, kind, service, fields)


def standard(kind: str, /, **fields: Any) -> Call:
    """Returns a call of a standard service of simulators."""
    return lambda client: told(ask(client, kind, **fields))


def _call(types: Any, kind: str, service: str, fields: dict[str, Any]) -> Call:
    request = getattr(types, kind).Request(**fields)
    return lambda client: told(client.call(getattr(types, kind), service, request))


def told(answer: Any) -> tuple[bool, str]:
    """Returns whether a call succeeded, and its message."""
    if hasattr(answer, 'result'):
        return answer.result.result == OK, answer.result.error_message
    message = 'message' if hasattr(answer, 'message') else 'status_message'
    return answer.success, getattr(answer, message)


def saved_and_restored(client: Client) -> tuple[bool, str]:
    assert own('SaveState', 'save_state', name='half', replace=True)(client)[0]
    return own('RestoreState', 'restore_state', name='half')(client)


def taken_as_a_message(client: Client) -> tuple[bool, str]:
    answer = client.call(states.GetState, 'get_state', states.GetState.Request())
    return own('SetState', 'set_state', state=answer.state)(client)


def stopped_after_a_step(client: Client) -> tuple[bool, str]:
    assert client.trigger('step').success
    return standard('SetSimulationState', state=SimulationState(state=STOPPED))(client)


def initial_states(client: Client) -> tuple[bool, str]:
    client.set_parameters(**{HINGE: 0.5})
    return told(client.trigger('load_initial_joint_states'))


FLAGS = {'set_pose': True} if SECOND_VERSION else {}
PLACED = standard('SetEntityState', entity='post', state=EntityState(), **FLAGS)
WEIGHED = BodyState(name='ball', mass=2.0)
GRAVITY = [Option(name='gravity', value='0 0 -1')]
LIFTED = [NamedValues(name='hinge', values=[0.5])]


@pytest.mark.parametrize(
    ('at', 'call', 'done'),
    [
        ('load', trigger('reload'), 'reloaded; '),
        ('load', of_original('Reload', 'reload_model'), 'reloaded; '),
        ('load', standard('LoadWorld', resource_string=WORLD), ''),
        ('reset', trigger('reset'), 'reset; '),
        ('reset', standard('ResetSimulation', scope=255), ''),
        ('reset', standard('ResetSimulation', scope=2), ''),
        ('reset', stopped_after_a_step, ''),
        (
            'reset',
            own('ResetToKeyframe', 'reset_to_keyframe', name='raised'),
            "reset to keyframe 'raised'; ",
        ),
        (
            'control_callback',
            own('ResetToKeyframe', 'reset_to_keyframe', name='raised'),
            "reset to keyframe 'raised'; ",
        ),
        ('control_callback', initial_states, 'initial joint states applied; '),
        (
            'control_callback',
            own('SetValues', 'set_values', positions=LIFTED),
            "position of 'hinge' set; ",
        ),
        ('adapt', standard('SpawnEntity', name='box', resource_string=CUBE), ''),
        ('adapt', standard('DeleteEntity', entity='ball'), ''),
        ('adapt', PLACED, ''),
        (
            'model_changed',
            own('SetOptions', 'set_options', options=GRAVITY),
            'option gravity set to 0.0 0.0 -1.0; ',
        ),
        (
            'model_changed',
            of_original('SetGravity', 'set_gravity', gravity=[0.0, 0.0, -1.0]),
            'gravity set; ',
        ),
        (
            'model_changed',
            of_original('SetBodyState', 'set_body_state', state=WEIGHED, set_mass=True),
            "mass of body 'ball' set; ",
        ),
        ('restore', saved_and_restored, "state 'half' saved at 0 s restored; "),
        ('restore', taken_as_a_message, 'state saved at 0 s restored; '),
    ],
)
def test_what_costs_a_plugin_is_done_and_names_it(served, at, call, done):
    reason = 'refused to load:' if at == 'load' else f'{at} raised'
    cost = f'3 of 4 plugins ready; bad: {reason} RuntimeError: broken'
    assert call(served(at)) == (True, f'{done}{cost}')


def test_a_world_whose_first_forward_pass_ends_in_a_fatal_error_is_no_success(served):
    client = served(MujocoPlugins=as_text({'type': 'half/Fatal', 'name': 'bad'}), mujoco_xml=WORLD)
    larger = WORLD.replace('</worldbody>', '<body/></worldbody>')
    success, message = standard('LoadWorld', resource_string=larger)(client)
    assert (success, message.startswith('the simulation stopped: ')) == (False, True), message


@pytest.mark.parametrize(
    ('at', 'call', 'message'),
    [
        ('save', own('SaveState', 'save_state', name='other'), 'the state is not saved: bad: '),
        ('save', own('GetState', 'get_state'), 'the state is not saved: bad: '),
        (
            'check_saved',
            taken_as_a_message,
            "the saved state does not fit the plugins: plugin 'bad': ",
        ),
    ],
)
def test_a_state_that_a_plugin_cannot_save_or_take_is_none(served, at, call, message):
    assert call(served(at)) == (False, f'{message}{at} raised RuntimeError: broken')


def test_a_stop_that_a_plugin_does_not_heed_is_no_success_and_names_it(served):
    client = served('emergency_stop')
    for stop, said in ((True, 'stopped good, fine; bad failed; '), (False, 'released good, fine')):
        answer = client.call(SetBool, '/stop/set', SetBool.Request(data=stop))
        assert (answer.success, answer.message.startswith(said)) == (not stop, True)


@pytest.mark.parametrize(
    ('call', 'done'),
    [
        (trigger('reload'), 'reloaded; 4 of 4 plugins ready; '),
        (trigger('reset'), 'reset; '),
        (trigger('load_initial_joint_states'), 'initial joint states applied; '),
        (standard('ResetSimulation', scope=255), ''),
        (standard('LoadWorld', resource_string=WORLD), ''),
    ],
)
def test_initial_values_that_are_skipped_are_named_and_the_others_set(served, call, done):
    client = served(**{HINGE: [0.1, 0.2], VELOCITY: 0.25})
    success, message = call(client)
    assert (success, message) == (
        True,
        f"{done}initial position of hinge joint 'hinge' skipped: it needs 1 values, got 2",
    )
    answer = client.call(
        states.GetValues, 'get_values', states.GetValues.Request(joints=['hinge'])
    )
    assert [list(each.values) for each in answer.velocities] == [[0.25]]


def test_places_and_models_that_are_left_out_are_in_the_answer(served, tmp_path):
    client = served()
    (tmp_path / 'box.xml').write_text(CUBE)
    (tmp_path / 'two.xml').write_text(CUBE.replace('<worldbody>', '<worldbody><body/>'))
    found = ask(client, 'GetSpawnables', sources=[str(tmp_path)])
    assert len(found.spawnables) == 1
    said = f'1 of 2 models are omitted: {tmp_path}/two.xml cannot be spawned: '
    assert told(found)[0]
    assert found.result.error_message.startswith(said)

    sources = [f'{tmp_path}/box.xml', '/no/such/folder']
    found = ask(client, 'GetAvailableWorlds', additional_sources=sources, continue_on_error=True)
    assert len(found.worlds) == 1
    assert told(found) == (True, 'skipped: /no/such/folder: no such file or folder')


def test_parameters_are_set_one_by_one_or_all_at_once(served):
    client = served()
    alone = client.set_parameters(no=3, realtime=2.0)
    assert [each.successful for each in alone] == [False, True]
    assert client.get_parameter('realtime').double_value == 2.0
    (together,) = client.set_parameters(atomically=True, realtime=1.0, no=3)
    assert (together.successful, together.reason.split(';')[0]) == (
        False,
        "unknown parameter 'no'",
    )
    assert client.get_parameter('realtime').double_value == 2.0
    assert client.set_parameters(realtime=1.0)[0].successful
