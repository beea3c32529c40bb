from __future__ import annotations

from itertools import groupby

import pytest
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64

from .harness import PENDULUM, wait_until
from .plugin_site import PluginSite, as_text, plugin

RK4 = PENDULUM.replace('timestep="0.002"', 'timestep="0.002" integrator="RK4"')
DIGITS = PENDULUM.replace('<worldbody>', '<size nuserdata="3"/><worldbody>')


def steps_of(events) -> list[list]:
    """The callbacks of each step, the last stage left out."""
    groups = groupby(events, key=lambda event: event.what == 'last_stage')
    return [list(group) for last, group in groups if not last]


@pytest.fixture(scope='module')
def site(tmp_path_factory) -> PluginSite:
    return PluginSite(tmp_path_factory.mktemp('callbacks'))


@pytest.fixture
def load(share, site):
    """`load(model, *plugins)`: a client of a paused server with these."""

    def load(model, *plugins):
        base = {'mujoco_xml': PENDULUM, 'MujocoPlugins': '[]', 'update_in_pause': False}
        share(base, **site.environment)
        site.forget()
        given = {'mujoco_xml': model, 'MujocoPlugins': as_text(*plugins)}
        return share(base, given=given, **site.environment)[1]

    return load


@pytest.mark.slow
@pytest.mark.parametrize(
    ('model', 'times'),
    [(PENDULUM, [0.0]), (RK4, [0.0, 0.001, 0.001, 0.002])],
    ids=['Euler', 'RK4'],
)
def test_control_and_passive_fire_with_each_evaluation_of_the_forces(load, site, model, times):
    client = load(model, plugin('Caller'))
    for _ in range(6):
        assert client.trigger('step').success

    callbacks = site.events('control', 'passive', 'last_stage')
    _, *steps = steps_of(callbacks)  # the first has a forward pass of the load in front of it
    assert len(steps) == 5
    for number, step in enumerate(steps, start=1):
        begin = 0.002 * number
        for what in ('control', 'passive'):
            fired = [event.time - begin for event in step if event.what == what]
            assert fired == pytest.approx(times, abs=1e-9)
    assert sum(event.what == 'last_stage' for event in callbacks) == 6


@pytest.mark.slow
def test_forward_passes_of_a_paused_server_fire_all_but_the_last_stage(start, tmp_path):
    site = PluginSite(tmp_path)
    parameters = {'mujoco_xml': PENDULUM, 'MujocoPlugins': as_text(plugin('Caller'))}
    _, client = start({**parameters, 'unpause': False}, **site.environment)

    site.wait_for('control', 5)
    site.wait_for('passive', 5)
    assert site.names('last_stage') == []
    assert {event.time for event in site.events('control', 'passive')} == {0}

    assert client.trigger('step').success
    site.wait_for('control', len(site.events('control')) + 5)
    assert len(site.events('last_stage')) == 1


@pytest.mark.slow
def test_hardware_reads_before_and_writes_after_all_control_callbacks(load, site):
    client = load(RK4, plugin('Caller', 'one'), plugin('Gate', 'gate'), plugin('Caller', 'two'))
    for _ in range(3):
        assert client.trigger('step').success

    names = [event.what for event in site.events('read', 'control', 'write')]
    assert names == ['read', 'control', 'control', 'write'] * 13, 'the load makes a forward pass'


@pytest.mark.slow
def test_python_and_compiled_callbacks_run_together_in_load_order(load, site):
    client = load(
        DIGITS,
        plugin('Digit', 'one', digit=1),
        plugin('CompiledDigit', 'two', digit=2),
        plugin('Digit', 'three', digit=3),
        plugin('CompiledDigit', 'four', digit=4),
        plugin('DigitReader', 'reader'),
    )
    for _ in range(4):
        assert client.trigger('step').success

    first, *others = [event.numbers for event in site.events('digits')]
    assert first == [12341234, 12341234, 1234], 'the load makes a forward pass'
    assert others == [[1234, 1234, 1234]] * 3


@pytest.mark.slow
def test_a_compiled_callback_shares_its_record_with_python(load):
    client = load(PENDULUM, plugin('Motor'))
    assert client.pause(False).success
    states = client.collect(JointState, 'joint_states')
    force = client.node.create_publisher(Float64, '/mujoco_server/force', 10)

    calls = int(client.trigger('calls').message)
    wait_until(lambda: int(client.trigger('calls').message) > calls, 'counting in native code')
    wait_until(lambda: states and states[-1].effort[0] == 0, 'no force at first')

    def driven() -> bool:
        force.publish(Float64(data=0.75))
        return states[-1].effort[0] == 0.75

    wait_until(driven, 'the force that Python set')


def test_no_callback_of_a_plugin_fires_after_its_unload(load, site):
    client = load(PENDULUM, plugin('Caller', 'old'))
    assert client.pause(False).success
    site.wait_for('last_stage', 5)

    client.set_parameters(MujocoPlugins=as_text(plugin('Caller', 'new')))
    assert client.trigger('reload').success

    site.wait_for('last_stage', 5, who='new')
    assert site.events(who='old')[-1].what == 'unload'
