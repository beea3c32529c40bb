"""Configurations of plugins as dataclasses: strict, described, and some values live."""

from __future__ import annotations

import json
import time

import pytest
from rcl_interfaces.srv import DescribeParameters, ListParameters
from rclpy.parameter import parameter_value_to_python
from sensor_msgs.msg import JointState

from .harness import PENDULUM, wait_until
from .plugin_site import PluginSite

pytestmark = pytest.mark.slow

PUSHERS = '''
import threading
from dataclasses import dataclass, field
from typing import Literal

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.plugins import MujocoPlugin, Reconfigurable, compiled, new_state, ranged


@dataclass(frozen=True, kw_only=True, slots=True)
class Bias:
    """What is added."""

    force: float = ranged(0.0, minimum=-1.0, maximum=1.0, unit='N', live=True)
    """A constant force."""
    seed: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Config:
    """What is configured."""

    motor: str
    """The motor that pushes."""
    gain: float = ranged(1.0, minimum=0.0, live=True)
    """How strongly it pushes."""
    scale: float = ranged(1.0, above=0.0)
    """What the gain is multiplied by."""
    mode: Literal['soft', 'hard'] = 'soft'
    bias: Bias = field(default_factory=Bias)
    note: str | None = None


class Pusher(MujocoPlugin[Config], Reconfigurable):
    """Pushes with gain times scale, plus a bias."""

    def load(self, model, data):
        self.state = new_state(force=self.force(self.config))

    def force(self, config):
        return config.gain * config.scale + config.bias.force

    def configure(self, config):
        assert threading.current_thread().name == 'physics'
        if config.gain == 13.0:
            raise ConfigError('13 brings no luck')
        if config.gain == 14.0:
            raise RuntimeError('14 is too much')
        self.state.force = self.force(config)

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.ctrl[0] = state.force


class Plain(MujocoPlugin):
    """Has the mapping, whatever is in it."""

    def load(self, model, data):
        assert self.config == {'anything': 1}, self.config

    def control_callbak(self, model, data):
        """Never called."""

    def lastStageCallback(self, model, data):
        """As C++ has it."""
'''
NATIVE = {
    'mujoco_xml': PENDULUM,
    'MujocoPlugins.names': ['arm'],
    'MujocoPlugins.arm.type': 'pushers/Pusher',
    'MujocoPlugins.arm.motor': 'motor',
}
ARM = 'MujocoPlugins__arm__'


TEXT = '[{type: pushers/Pusher, name: arm, motor: motor, bias: {force: 0.5, seed: 3}}]'


@pytest.fixture(scope='module')
def site(tmp_path_factory):
    """The plugins above, installed."""
    site = PluginSite(tmp_path_factory.mktemp('site'))
    site.add_module('pushers', PUSHERS)
    return site.environment


@pytest.fixture
def native(share, site):
    """A server with the native form of parameters, which runs, and its client."""
    process, client = share(NATIVE, **site)
    assert client.pause(False).success
    return process, client


def pushes(client, force: float) -> None:
    """Waits until the motor pushes so."""
    states = client.collect(JointState, '/joint_states')
    wait_until(lambda: states and states[-1].effort[0] == force, f'a force of {force}')


def test_a_live_value_changes_while_it_runs_and_others_at_a_reload(start, site):
    process, client = start(NATIVE, **site)
    pushes(client, 1.0)

    (result,) = client.set_parameters(**{f'{ARM}gain': 2.5})
    assert result.successful
    pushes(client, 2.5)
    (result,) = client.set_parameters(**{f'{ARM}bias__force': 0.25})
    pushes(client, 2.75)
    (result,) = client.set_parameters(**{f'{ARM}gain': 3})
    pushes(client, 3.25)
    (result,) = client.set_parameters(**{f'{ARM}scale': 2.0})
    assert result.successful
    client.set_parameters(**{f'{ARM}gain': 4.0})
    pushes(client, 4.25)
    assert client.diagnostics()['simulation'][2]['reloads'] == '0'

    assert client.trigger('reload').success
    pushes(client, 8.25)
    assert 'Traceback' not in process.output

    results = client.set_parameters(
        **{f'{ARM}type': 'pushers/Plain', f'{ARM}anything': 1, f'{ARM}motor': None,
           f'{ARM}gain': None, f'{ARM}scale': None, f'{ARM}bias.force': None}
    )  # fmt: skip
    assert [result.successful for result in results] == [True] * 6, results
    assert client.trigger('reload').success
    assert client.diagnostics()['plugin arm'][1] == 'loaded'
    assert 'MujocoPlugins.arm.gain' not in client.all_parameters(), 'a default of the other class'


REFUSED = [
    ('gain', -1.0, 'MujocoPlugins.arm.gain must be at least 0, got -1'),
    ('gain', 'much', "MujocoPlugins.arm.gain must be a number, got 'much'"),
    ('bias__force', 1.5, 'MujocoPlugins.arm.bias.force must be at least -1 and at most 1'),
    ('scale', 0.0, 'MujocoPlugins.arm.scale must be greater than 0, got 0'),
    ('mode', 'sfot', "MujocoPlugins.arm.mode must be one of soft, hard, got 'sfot'"),
    ('gian', 1.0, "MujocoPlugins.arm: unknown parameter 'gian' (did you mean 'gain'?)"),
]


def test_a_value_that_is_none_is_refused_where_it_is_set(native):
    _, client = native
    for name, value, reason in REFUSED:
        (result,) = client.set_parameters(**{f'{ARM}{name}': value})
        assert (result.successful, result.reason[: len(reason)]) == (False, reason)


def test_all_fields_are_listed_and_described(native):
    _, client = native
    request = ListParameters.Request(prefixes=['MujocoPlugins.arm'], depth=0)
    names = client.call(ListParameters, 'list_parameters', request).result.names
    described = ['motor', 'gain', 'scale', 'mode', 'bias.force', 'bias.seed']
    names_of = [f'MujocoPlugins.arm.{name}' for name in described]
    assert set(names) == {*names_of, 'MujocoPlugins.arm.type'}

    request = DescribeParameters.Request(names=names_of)
    rows = {
        each.name.removeprefix('MujocoPlugins.arm.'): each
        for each in client.call(DescribeParameters, 'describe_parameters', request).descriptors
    }
    assert not any(row.read_only for row in rows.values())
    assert rows['gain'].description == 'How strongly it pushes.'
    assert rows['gain'].additional_constraints == 'at least 0'
    assert rows['bias.force'].additional_constraints == 'at least -1 and at most 1 N'
    assert rows['motor'].description == 'The motor that pushes. Read at the next reload.'
    assert rows['mode'].additional_constraints == 'one of soft, hard'
    value = parameter_value_to_python(client.get_parameter('MujocoPlugins.arm.bias.force'))
    assert value == 0.0


def test_a_configuration_that_a_plugin_refuses_stays_as_it_was(native):
    process, client = native
    begin, told = time.monotonic(), "plugin 'arm' keeps its configuration: 13 brings no luck"
    for _ in range(20):
        (result,) = client.set_parameters(**{f'{ARM}gain': 13.0})
        assert (result.successful, result.reason) == (
            False,
            'MujocoPlugins.arm: 13 brings no luck',
        )
    process.wait_for_output(told)
    assert client.get_parameter('MujocoPlugins.arm.gain').double_value == 1.0
    pushes(client, 1.0)
    assert process.output.count(told) <= time.monotonic() - begin + 1, 'it is told once a second'
    client.set_parameters(**{f'{ARM}gain': 2.0})
    pushes(client, 2.0)
    (result,) = client.set_parameters(**{f'{ARM}gain': 14.0})
    assert not result.successful
    assert 'configure raised RuntimeError: 14 is too much' in result.reason
    process.wait_for_output("plugin 'arm' is disabled: configure raised RuntimeError")
    client.set_parameters(**{f'{ARM}gain': 3.0})
    assert client.trigger('reload').success
    pushes(client, 3.0)
    assert client.set_parameters(**{f'{ARM}gain': 1.0})[0].successful


def test_of_several_plugins_all_get_their_values_or_none(share, site):
    other = {'MujocoPlugins.other.type': 'pushers/Pusher', 'MujocoPlugins.other.motor': 'motor'}
    _, client = share({**NATIVE, **other, 'MujocoPlugins.names': ['arm', 'other']}, **site)
    values = {f'{ARM}gain': 2.0, 'MujocoPlugins__other__gain': 13.0}
    (result,) = client.set_parameters(atomically=True, **values)
    assert (result.successful, result.reason) == (
        False,
        'MujocoPlugins.other: 13 brings no luck',
    )
    (result,) = client.set_parameters(
        atomically=True, **{**values, 'MujocoPlugins__other__gain': 3.0}
    )
    assert result.successful
    assert client.get_parameter('MujocoPlugins.arm.gain').double_value == 2.0
    before = {f'{ARM}gain': 1.0, 'MujocoPlugins__other__gain': 1.0}
    assert client.set_parameters(atomically=True, **before)[0].successful


NONE = [
    ('names', 5, 'MujocoPlugins.names must be a list of strings, got 5'),
    ('names', 'a', "MujocoPlugins.names must be a list of strings, got 'a'"),
    ('names', [1, 2], 'MujocoPlugins.names must be a list of strings, got [1, 2]'),
    ('arm__type', 5, 'MujocoPlugins.arm.type must have the form package/Class, got 5'),
    (
        'new__type',
        'Pusher',
        "MujocoPlugins.new.type must have the form package/Class, got 'Pusher'",
    ),
]


@pytest.mark.parametrize(('name', 'value', 'reason'), NONE)
def test_an_order_and_a_type_that_are_none_are_refused_where_they_are_set(
    native, name, value, reason
):
    _, client = native
    (result,) = client.set_parameters(**{f'MujocoPlugins__{name}': value})
    assert (result.successful, result.reason) == (False, reason)
    assert client.trigger('reload').success


def test_gains_of_an_unknown_joint_are_refused_and_stop_nothing(share):
    arm = {'type': 'mujoco_ros_py/JointTrajectoryController', 'joints': ['hinge']}
    given = {**flat('MujocoPlugins.arm', arm), 'MujocoPlugins.names': ['arm']}
    _, client = share({'mujoco_xml': PENDULUM, **given})
    (result,) = client.set_parameters(**{f'{ARM}gains__hing__p': 3.0})
    assert not result.successful
    assert "unknown joint 'hing'" in result.reason
    assert f'{ARM}gains.hing.p' not in client.all_parameters()
    (result,) = client.set_parameters(**{f'{ARM}gains__hinge__p': 3.0})
    assert result.successful, result.reason
    assert client.trigger('reload').success
    assert client.diagnostics()['plugin arm'][1] == 'loaded'
    assert client.set_parameters(**{f'{ARM}gains__hinge__p': None})[0].successful


def test_live_values_are_protected_in_eval_mode(start, site):
    _, client = start({**NATIVE, 'eval_mode': True, 'admin_hash': 'secret'}, **site)
    (result,) = client.set_parameters(**{f'{ARM}gain': 2.0})
    assert not result.successful
    assert 'admin hash' in result.reason
    pushes(client, 1.0)
    change = {'admin_hash': 'secret', f'{ARM}gain': 2.0}
    (result,) = client.set_parameters(atomically=True, **change)
    assert result.successful, result.reason
    pushes(client, 2.0)


def test_where_the_form_is_a_text_live_values_are_parameters_of_the_plugin(start, site):
    plain = TEXT.replace(']', ', {type: pushers/Plain, anything: 1}]')
    process, client = start({'mujoco_xml': PENDULUM, 'MujocoPlugins': plain}, **site)
    for name, meant in {
        'control_callbak': 'control_callback',
        'lastStageCallback': 'last_stage_callback',
    }.items():
        said = f'Plain.{name} is not called by the server: did you mean {meant}?'
        said = f"'plain' (pushers/Plain): {said}"
        assert said in process.output
    assert client.diagnostics()['plugin plain'][1] == 'loaded'

    pushes(client, 1.5)
    names = client.all_parameters()
    assert {name for name in names if name.startswith('arm')} == {'arm.gain', 'arm.bias.force'}
    assert 'MujocoPlugins.arm.gain' not in names
    (result,) = client.set_parameters(arm__gain=2.5)
    assert result.successful
    pushes(client, 3.0)
    (result,) = client.set_parameters(arm__bias__force=-0.5)
    pushes(client, 2.0)
    (result,) = client.set_parameters(arm__gain=-1.0)
    assert not result.successful
    assert result.reason == 'arm.gain must be at least 0, got -1'
    assert client.trigger('reload').success
    pushes(client, 1.5)
    client.set_parameters(MujocoPlugins=TEXT.replace('motor: motor', 'motor: motor, gain: 5'))
    assert client.trigger('reload').success
    pushes(client, 5.5)


DOTTED = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body><joint name="arm" axis="0 1 0"/><geom size="0.1" mass="1" pos="0.5 0 0"/></body>
    <body pos="0 1 0">
      <joint name="arm.1" axis="0 1 0"/><geom size="0.1" mass="1" pos="0.5 0 0"/>
    </body>
  </worldbody>
</mujoco>
"""
BEARING = 9.81 * 0.5
"""What each joint bears, in N m, at which its position is that by its gain."""
ARMS = {
    'type': 'mujoco_ros_py/JointTrajectoryController',
    'joints': ['arm', 'arm.1'],
    'gravity_compensation': False,
    'gains': {'arm': {'p': 1000.0, 'd': 100.0}, 'arm.1': {'p': 500.0, 'd': 100.0}},
    'constraints': {'arm.1': {'goal': 0.1}, 'goal_time': 2.0},
}


def flat(name: str, value: object) -> dict[str, object]:
    """Returns the parameters of a struct, with dots between all words of their names."""
    if not isinstance(value, dict):
        return {name: value}
    return {n: v for key, each in value.items() for n, v in flat(f'{name}.{key}', each).items()}


@pytest.mark.parametrize('form', ['native', 'text'])
def test_gains_and_constraints_of_a_joint_with_dots_in_its_name_are_live(start, form):
    if form == 'native':
        listed = {**flat('MujocoPlugins.pair', ARMS), 'MujocoPlugins.names': ['pair']}
        prefix = 'MujocoPlugins.pair'
    else:
        listed = {'MujocoPlugins': json.dumps([{**ARMS, 'name': 'pair'}])}
        prefix = 'pair'
    process, client = start({'mujoco_xml': DOTTED, **listed})
    states = client.collect(JointState, '/joint_states')

    def hang(*gains: float) -> None:
        expected = [BEARING / gain for gain in gains]
        wait_until(
            lambda: states and list(states[-1].position) == pytest.approx(expected, rel=1e-3),
            f'positions by the gains {gains}',
        )

    hang(1000.0, 500.0)
    (result,) = client.set_parameters(**{f'{prefix}.gains.arm.1.p': 250.0})
    assert result.successful, result.reason
    hang(1000.0, 250.0)
    (result,) = client.set_parameters(**{f'{prefix}.gains.arm.1.p': -1.0})
    assert result.reason == f'{prefix}.gains.arm.1.p must be at least 0, got -1'
    (result,) = client.set_parameters(**{f'{prefix}.constraints.arm.1.trajectory': 0.3})
    assert result.successful, result.reason
    assert client.trigger('reload').success
    hang(1000.0, 250.0 if form == 'native' else 500.0)
    assert client.diagnostics()['plugin pair'][1] == 'loaded'
    assert 'Traceback' not in process.output
