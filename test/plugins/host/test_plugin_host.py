"""The host: the lifecycle of plugins, and the isolation of one plugin's fault from the others."""

from __future__ import annotations

import logging
import re
import time
from pathlib import Path

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.config import PluginConfig
from mujoco_ros_py.engine import PHYSICS
from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.log_throttle import Throttle
from mujoco_ros_py.plugins import MujocoPlugin, Reconfigurable, compiled, new_state
from mujoco_ros_py.plugins.host import PluginHost, PluginState, callback_binding, plugin_types
from mujoco_ros_py.simulation import activity

MODEL = """
<mujoco>
  <option timestep="0.002"/><size nuserdata="1000"/>
  <worldbody><body><joint name="hinge"/><geom size="1"/></body></worldbody>
</mujoco>
"""
CALLBACKS = [point.method for point in PHYSICS]


class Witness(MujocoPlugin):
    """Records its calls in a list that all plugins of a test share."""

    log: list[str]

    def note(self, what):
        Witness.log.append(f'{self.name} {what}')

    def load(self, model, data):
        self.note('load')

    def reset(self, model, data):
        self.note('reset')

    def unload(self):
        self.note('unload')


class Calm(Witness):
    """Counts its Python callbacks."""

    calls = 0

    def control_callback(self, model, data):
        self.calls += 1


class Native(Witness):
    """Writes its number into userdata, in compiled code."""

    def load(self, model, data):
        super().load(model, data)
        self.state = new_state(number=self.config.get('number', 1), calls=0)

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        state.calls += 1
        data.userdata[0] += 1
        data.userdata[int(data.userdata[0]) % 1000] = state.number

    @staticmethod
    @compiled
    def last_stage_callback(state, model, data):
        data.userdata[0] += 1
        data.userdata[int(data.userdata[0]) % 1000] = 10 * state.number


class Scripted(Native):
    """Counts its calls like Native, but in Python."""

    def control_callback(self, model, data):
        data.userdata[0] += 1
        data.userdata[int(data.userdata[0]) % 1000] = self.state.number

    def last_stage_callback(self, model, data):
        data.userdata[0] += 1
        data.userdata[int(data.userdata[0]) % 1000] = 10 * self.state.number


class Faulty(Witness, Reconfigurable):
    """Raises in the methods that its configuration names."""

    def __init__(self, config, node, environment):
        super().__init__(config, node, environment)
        self.fail('constructor')

    def fail(self, where):
        if self.config['in'] == where:
            raise self.config.get('error', ValueError)(f'broken in {where}')

    def load(self, model, data):
        super().load(model, data)
        self.fail('load')

    def configure(self, config):
        raise ConfigError('no')

    def reset(self, model, data):
        super().reset(model, data)
        self.fail('reset')

    def unload(self):
        super().unload()
        self.fail('unload')

    def control_callback(self, model, data):
        self.fail('control_callback')

    def passive_callback(self, model, data):
        self.fail('passive_callback')

    def last_stage_callback(self, model, data):
        self.fail('last_stage_callback')


class FaultyNative(Witness):
    """Like Faulty, but compiled: raises where the state says."""

    def load(self, model, data):
        super().load(model, data)
        self.state = new_state(point=CALLBACKS.index(self.config['in']), calls=np.zeros(3, int))

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        state.calls[0] += 1
        if state.point == 0:
            raise ValueError('broken in control_callback')

    @staticmethod
    @compiled
    def passive_callback(state, model, data):
        state.calls[1] += 1
        if state.point == 1:
            raise ValueError('broken in passive_callback')

    @staticmethod
    @compiled
    def last_stage_callback(state, model, data):
        state.calls[2] += 1
        if state.point == 2:
            raise ValueError('broken in last_stage_callback')


class Refusing(Witness):
    def load(self, model, data):
        super().load(model, data)
        return self.config['answer']


class Uncompilable(Witness):
    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.ctlr[0] = 1.0


class Stranger:
    pass


class TooFew(MujocoPlugin):
    def control_callback(self, data):
        pass


class TooFewCompiled(MujocoPlugin):
    @staticmethod
    @compiled
    def passive_callback(model, data):
        pass


class StaticLoad(MujocoPlugin):
    @staticmethod
    def load(self, model, data):
        pass


class Looking(Witness):
    """Records which plugins it can look up while it loads."""

    def load(self, model, data):
        self.seen = list(self.environment.plugins)


class Choosy(Witness, Reconfigurable):
    """Refuses live values with the configured error."""

    def check_live(self, config):
        raise {'refused': ConfigError, 'wrong': ValueError}[config]('no')


@pytest.fixture(autouse=True)
def described(tmp_path: Path, monkeypatch):
    """Describes the classes of this file as the only plugin types."""
    found = [name for name, value in globals().items() if isinstance(value, type)]
    rows = ''.join(
        f'<class name="test/{name}" type="{name}" base_class_type="mujoco_ros_py::MujocoPlugin"/>'
        for name in found
    )
    description = tmp_path / 'plugins.xml'
    description.write_text(f'<library path="{__name__}">{rows}</library>')
    monkeypatch.setattr(plugin_types, '_BUILTIN', description)
    monkeypatch.setattr(Witness, 'log', [], raising=False)


@pytest.fixture
def host(simulation, parts):
    """`host(('name', 'Class', {config}), ...)`: a host with loaded plugins."""

    def start(*plugins, load=True, **options):
        configs = [
            PluginConfig(name=name, type=f'test/{kind}', config=config[0] if config else {})
            for name, kind, *config in plugins
        ]
        host = PluginHost(configs, parts, **options)
        assert [hosted.state for hosted in host.plugins] == [PluginState.REGISTERED] * len(configs)
        host.instantiate()
        if load:
            model = mujoco.MjModel.from_xml_string(MODEL)
            simulation.load(model, host).result(DEADLINE_S)
        return host

    return start


def step(simulation, count=1):
    simulation.step(count).result(DEADLINE_S)


def states(host) -> list[str]:
    return [hosted.state.value for hosted in host.plugins]


def notes(simulation, count) -> list[int]:
    """The values that callbacks write into userdata in a step, apart from forward passes."""

    def clear(model, data):
        data.userdata[:] = 0

    def read(model, data):
        return [int(x) for x in data.userdata[1 : 1 + int(data.userdata[0])]]

    simulation.submit(clear).result(DEADLINE_S)
    step(simulation)
    written = simulation.submit(read).result(DEADLINE_S)
    end = max(k for k, number in enumerate(written) if number >= 10) + 1
    return written[end - count : end]


def test_a_plugin_passes_through_its_states(host, simulation):
    loading = host(('calm', 'Calm'), load=False)
    assert states(loading) == ['instantiated']
    assert Witness.log == []
    simulation.load(mujoco.MjModel.from_xml_string(MODEL), loading).result(DEADLINE_S)
    assert states(loading) == ['loaded']
    assert loading.plugins[0].ready
    simulation.load(mujoco.MjModel.from_xml_string(MODEL)).result(DEADLINE_S)
    assert states(loading) == ['unloaded']
    assert not loading.plugins[0].ready
    assert loading.counts == (1, 1), 'it was ready until the end'
    assert Witness.log == ['calm load', 'calm unload']


def test_a_plugin_knows_its_configuration_node_environment_and_name(host, simulation):
    plugin = host(('arm', 'Calm', {'gain': 2.0})).plugins[0].plugin
    assert plugin.config == {'gain': 2.0}
    assert plugin.name == 'arm'
    assert plugin.environment.simulation.time == 0.0
    assert plugin.environment.plugins == {'arm': plugin}


@pytest.mark.parametrize(
    ('kind', 'config', 'reason'),
    [
        ('Refusing', {'answer': False}, 'refused to load'),
        ('Faulty', {'in': 'load'}, 'refused to load: ValueError: broken in load'),
        ('Faulty', {'in': 'constructor'}, 'cannot be constructed: ValueError: broken in c'),
        ('Faulty', {}, "cannot be constructed: KeyError: 'in'"),
        ('Stranger', {}, 'cannot be constructed: .*Stranger does not derive from MujocoPlugin'),
        (
            'TooFew',
            {},
            r'TooFew.control_callback must take \(self, model, data\), takes \(self, d',
        ),
        (
            'TooFewCompiled',
            {},
            r'passive_callback must take \(state, model, data\), takes \(model',
        ),
        ('StaticLoad', {}, 'StaticLoad.load must be a method'),
        ('Nobody', {}, "unknown plugin type 'test/Nobody'.*known: .*test/Calm"),
        ('Uncompilable', {}, "Uncompilable.control_callback does not compile(.|\n)*'ctlr'"),
    ],
)
def test_a_plugin_that_refuses_is_registered_but_gets_nothing(
    host, simulation, caplog, kind, config, reason
):
    refusing = host(('bad', kind, config), ('good', 'Calm'))
    assert states(refusing) == ['refused', 'loaded']
    assert not refusing.plugins[0].ready
    assert [r.levelno for r in caplog.records] == [logging.ERROR]
    assert f"plugin 'bad' (test/{kind})" in caplog.text
    assert re.search(reason, refusing.plugins[0].reason)
    step(simulation, 3)
    simulation.reset().result(DEADLINE_S)
    simulation.load(mujoco.MjModel.from_xml_string(MODEL)).result(DEADLINE_S)
    told = [entry for entry in Witness.log if entry.startswith('bad') and entry != 'bad load']
    assert told in ([], ['bad unload'])
    assert 'good reset' in Witness.log
    assert states(refusing) == ['refused', 'unloaded']
    assert refusing.counts == (1, 2)


@pytest.mark.parametrize('answer', [None, True, 0, ''])
def test_only_false_refuses(host, answer):
    assert states(host(('eager', 'Refusing', {'answer': answer}))) == ['loaded']


def test_what_load_took_is_released_if_a_callback_cannot_be_compiled(host):
    host(('bad', 'Uncompilable'))
    assert Witness.log == ['bad load', 'bad unload']


@pytest.mark.parametrize('where', ['constructor', 'load', 'reset', 'unload', *CALLBACKS])
def test_not_even_a_plugin_that_exits_takes_the_others_along(host, simulation, where):
    faulty = host(('bad', 'Faulty', {'in': where, 'error': SystemExit}), ('good', 'Calm'))
    step(simulation, 2)
    simulation.reset().result(DEADLINE_S)
    step(simulation, 2)
    assert states(faulty)[1] == 'loaded'
    simulation.load(mujoco.MjModel.from_xml_string(MODEL)).result(DEADLINE_S)
    assert Witness.log.count('good unload') == 1
    assert states(faulty)[1] == 'unloaded'


@pytest.mark.parametrize('where', CALLBACKS)
@pytest.mark.parametrize('kind', ['Faulty', 'FaultyNative'])
def test_a_callback_that_raises_takes_its_plugin_out_and_no_other(
    host, simulation, caplog, where, kind
):
    faulty = host(('before', 'Native'), ('bad', kind, {'in': where}), ('after', 'Calm'))
    step(simulation, 20)
    assert states(faulty) == ['loaded', 'failed', 'loaded']
    assert faulty.plugins[1].reason == f'{where} raised ValueError: broken in {where}'
    (record,) = [r for r in caplog.records if r.levelno == logging.ERROR]
    assert "plugin 'bad' is disabled" in record.getMessage()
    assert where in record.getMessage()
    lines = logging.Formatter().formatException(record.exc_info)
    assert f'in {where}' in lines
    assert Path(__file__).name in lines
    before, after = faulty.plugins[0].plugin, faulty.plugins[2].plugin
    assert before.state.calls >= 20
    assert after.calls >= 20


@pytest.mark.parametrize('where', CALLBACKS)
def test_a_plugin_that_failed_gets_no_callback_at_any_point_and_no_reset_but_unload(
    host, simulation, where
):
    faulty = host(('bad', 'FaultyNative', {'in': where}))
    step(simulation, 5)
    before = faulty.plugins[0].plugin.state.calls.copy()
    step(simulation, 5)
    simulation.reset().result(DEADLINE_S)
    np.testing.assert_array_equal(faulty.plugins[0].plugin.state.calls, before)
    simulation.load(mujoco.MjModel.from_xml_string(MODEL)).result(DEADLINE_S)
    assert Witness.log == ['bad load', 'bad unload']


def test_a_reset_that_raises_takes_the_plugin_out(host, simulation, caplog):
    faulty = host(('bad', 'Faulty', {'in': 'reset'}), ('good', 'Calm'))
    simulation.reset().result(DEADLINE_S)
    simulation.reset().result(DEADLINE_S)
    assert states(faulty) == ['failed', 'loaded']
    assert faulty.plugins[0].reason == 'reset raised ValueError: broken in reset'
    assert Witness.log.count('bad reset') == 1
    assert Witness.log.count('good reset') == 2
    assert caplog.text.count('is disabled') == 1


def test_plugins_with_the_same_fault_are_all_in_the_log(host, simulation, caplog):
    faulty = {'in': 'reset'}
    loaded = host(('left', 'Faulty', faulty), ('right', 'Faulty', faulty), throttle=Throttle())
    for hosted in loaded.plugins:
        for _ in range(2):
            loaded.configure(hosted, 'wrong')
        assert caplog.text.count(f"plugin '{hosted.name}' keeps its configuration: no") == 1
    simulation.reset().result(DEADLINE_S)
    for name in ('left', 'right'):
        assert caplog.text.count(f"plugin '{name}' is disabled") == 1


def test_live_values_may_be_refused_and_a_fault_of_that_takes_the_plugin_out(host):
    (choosy,) = host(('choosy', 'Choosy')).plugins
    with pytest.raises(ConfigError, match='no'):
        choosy.check_live('refused')
    assert choosy.ready
    choosy.check_live('wrong')
    assert choosy.reason == 'check_live raised ValueError: no'
    choosy.check_live('refused')  # nobody asks it any more


def test_an_unload_that_raises_is_logged_and_the_others_are_unloaded(host, simulation, caplog):
    faulty = host(('first', 'Calm'), ('bad', 'Faulty', {'in': 'unload'}), ('last', 'Calm'))
    simulation.load(mujoco.MjModel.from_xml_string(MODEL)).result(DEADLINE_S)
    assert Witness.log[3:] == ['last unload', 'bad unload', 'first unload']
    assert states(faulty) == ['unloaded'] * 3
    assert "plugin 'bad' raised in unload" in caplog.text


def test_callbacks_of_both_kinds_come_in_load_order(host, simulation):
    plugins = [('a', 'Native'), ('b', 'Scripted'), ('c', 'Native'), ('d', 'Scripted')]
    numbered = [(name, kind, {'number': k + 1}) for k, (name, kind) in enumerate(plugins)]
    host(*numbered)
    assert notes(simulation, 8) == [1, 2, 3, 4, 10, 20, 30, 40]
    host(*reversed(numbered))
    assert notes(simulation, 8) == [4, 3, 2, 1, 40, 30, 20, 10]


def test_loads_come_in_order_and_unloads_in_reverse(host, simulation):
    host(('a', 'Calm'), ('b', 'Native'), ('c', 'Witness'))
    simulation.reset().result(DEADLINE_S)
    simulation.close(DEADLINE_S)
    names = [f'{name} {what}' for what in ('load', 'reset') for name in 'abc']
    assert Witness.log == [*names, 'c unload', 'b unload', 'a unload']


def test_a_plugin_sees_those_that_were_loaded_before_it(host):
    looking = host(('one', 'Looking'), ('bad', 'Faulty', {'in': 'load'}), ('two', 'Looking'))
    assert [h.plugin.seen for h in looking.plugins if h.ready] == [[], ['one']]


def test_what_a_plugin_costs_is_known(host, simulation):
    class_costs = host(('native', 'Native'), ('calm', 'Calm'), ('mute', 'Witness'))
    native, calm, mute = class_costs.plugins
    assert native.load_time_s > 0
    assert native.reset_time_s is None
    begin = time.perf_counter()
    simulation.reset().result(DEADLINE_S)
    assert 0 < native.reset_time_s < time.perf_counter() - begin
    begin = time.perf_counter()
    step(simulation, 130)
    all_steps_ns = 1e9 * (time.perf_counter() - begin)
    assert 0 <= native.costs_ns()['control_callback'] < all_steps_ns
    assert 0 < calm.costs_ns()['control_callback'] < all_steps_ns
    assert set(calm.costs_ns()) == {'control_callback'}
    assert mute.costs_ns() == {}


def test_a_callback_is_described_by_point_and_plugin(host):
    described = host(('a', 'Native'), ('b', 'Calm'))
    names = [described.describe(row) for row in range(3)]
    assert names == [
        "control_callback of plugin 'a'",
        "control_callback of plugin 'b'",
        "last_stage_callback of plugin 'a'",
    ]


def test_a_host_without_plugins_is_no_burden(host, simulation):
    host()
    step(simulation, 10)
    assert simulation.time == pytest.approx(0.02)


def test_compilation_is_work_that_may_last(host, monkeypatch):
    seen = []
    compile_callback = callback_binding.compile_callback

    def noting(*arguments, **options):
        seen.append((str(activity()), activity().lasting))
        return compile_callback(*arguments, **options)

    monkeypatch.setattr(callback_binding, 'compile_callback', noting)
    host(('one', 'Native'))
    assert seen == [("the compilation of callbacks of plugin 'one'", True)] * 2
