"""Faulty plugins, and the errors and log messages about them."""

from __future__ import annotations

import ctypes
import logging
import math
import subprocess
import sys
import traceback
import types

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine.engine_plugins import Attribute, Capability, EnginePlugin, register
from mujoco_ros_py.errors import PluginError

from .models import WarmMotor, warm_motor

pytestmark = pytest.mark.slow


def ours(caplog):
    """Returns the log records of this package; the log also contains MuJoCo's own warnings."""
    return [each for each in caplog.records if each.name.startswith('mujoco_ros_py.engine')]


def test_a_name_that_a_library_has_is_refused():
    class Taken(WarmMotor):
        name = 'mujoco.pid'

    with pytest.raises(PluginError, match=r"engine plugin 'mujoco.pid' is taken by a library"):
        register(Taken)


@pytest.mark.parametrize('other', [5, object, WarmMotor.name, dict])
def test_what_is_no_engine_plugin_is_refused(other):
    with pytest.raises(PluginError, match='must be a class derived from EnginePlugin'):
        register(other)


def test_a_name_that_a_class_of_another_module_has_is_refused():
    class Elsewhere(WarmMotor):
        __module__ = 'another.package'

    register(WarmMotor)
    with pytest.raises(PluginError, match=r'is taken by .*models\.WarmMotor'):
        register(Elsewhere)


def test_a_class_that_lacks_something_is_refused_with_what_it_is():
    class Nameless(EnginePlugin):
        capabilities = Capability.PASSIVE

    class Incapable(EnginePlugin):
        name = 'test.incapable'

    class Unable(EnginePlugin):
        name = 'test.unable'
        capabilities = Capability.ACTUATOR

    class Boundless(EnginePlugin):
        name = 'test.boundless'
        capabilities = Capability.SDF

        @staticmethod
        def distance(shape, point):
            return 1.0

    for plugin, message in {
        Boundless: r'Boundless with .*SDF.* must define bounds\(config\), a classmethod',
        Nameless: 'Nameless needs a name',
        Incapable: 'needs at least one of the capabilities ACTUATOR, SENSOR, PASSIVE',
        Unable: 'must define compute_actuator',
    }.items():
        with pytest.raises(PluginError, match=message):
            register(plugin)


def test_a_function_that_does_not_compile_is_an_error_of_the_model_with_the_reason():
    class Wrong(WarmMotor):
        name = 'test.wrong'

        @staticmethod
        def compute_actuator(p, model, data):
            data.no_such_field[0] = 1.0

    register(Wrong)
    with pytest.raises(ValueError, match='compute_actuator does not compile'):
        warm_motor('test.wrong')


def test_what_a_function_raises_is_told_once_with_plugin_and_instance(caplog):
    class Raising(WarmMotor):
        name = 'test.raising'

        @staticmethod
        def compute_actuator(p, model, data):
            if data.time > 0.005:
                raise ValueError('the motor has burnt out')

    register(Raising)
    model = warm_motor('test.raising')
    data = mujoco.MjData(model)
    with caplog.at_level(logging.ERROR):
        mujoco.mj_step(model, data, 50)
    (record,) = caplog.records
    assert record.getMessage() == (
        'compute_actuator of engine plugin test.raising, instance motor raised'
    )
    assert 'burnt out' in str(record.exc_info[1])
    assert data.time == pytest.approx(0.1)


def test_indices_are_checked_where_the_class_is_registered_so(caplog):
    class Beyond(WarmMotor):
        name = 'test.beyond'

        @staticmethod
        def compute_actuator(p, model, data):
            data.actuator_force[0] = data.ctrl[p.instance + 1]

    register(Beyond, boundscheck=True)
    model = warm_motor('test.beyond')
    caplog.clear()  # the compiler creates its own data
    with caplog.at_level(logging.ERROR):
        mujoco.mj_step(model, mujoco.MjData(model))
    (record,) = caplog.records
    assert isinstance(record.exc_info[1], IndexError)
    (frame,) = traceback.extract_tb(record.exc_info[1].__traceback__)
    assert (frame.filename, frame.name) == (__file__, 'compute_actuator')
    caplog.clear()
    register(Beyond)
    mujoco.mj_step(model, mujoco.MjData(model))
    assert caplog.records == []


@pytest.mark.parametrize(
    ('method', 'value'),
    [('compute_actuator', math.nan), ('compute_sensor', math.inf), ('compute_actuator', 1e11)],
)
def test_a_plugin_that_diverges_is_named_once(method, value, caplog):
    def diverging(p, model, data):
        if data.time > 0.005:
            data.actuator_force[0] = data.sensordata[0] = value

    name = f'test.diverging_{method}_{value}'
    register(type('Diverging', (WarmMotor,), {'name': name, method: staticmethod(diverging)}))
    model = warm_motor(name)
    with caplog.at_level(logging.WARNING):
        mujoco.mj_step(model, mujoco.MjData(model), 50)
    (record,) = ours(caplog)
    assert record.getMessage() == (
        f'{method} of engine plugin {name}, instance motor returns values that are not finite'
        ' or above 1e+10'
    )


@pytest.mark.parametrize('fault', ['raises', 'diverges'])
def test_it_is_told_anew_of_other_data_and_of_an_edited_class(fault, caplog):
    def faulty(message):
        def raising(p, model, data):
            raise ValueError(message)

        def diverging(p, model, data):
            data.actuator_force[0] = math.nan

        code = raising if fault == 'raises' else diverging
        methods = {'name': f'test.again_{fault}', 'compute_actuator': staticmethod(code)}
        return type('Again', (WarmMotor,), methods)

    def told(data):
        caplog.clear()
        mujoco.mj_step(model, data, 5)
        mujoco.mj_resetData(model, data)
        mujoco.mj_step(model, data, 5)
        return [str(record.exc_info and record.exc_info[1]) for record in ours(caplog)]

    register(faulty('first'))
    model = warm_motor(f'test.again_{fault}')
    data = mujoco.MjData(model)
    assert len(told(data)) == 1
    assert told(data) == []
    assert len(told(mujoco.MjData(model))) == 1
    register(faulty('second'))
    assert told(data) == []
    (message,) = told(mujoco.MjData(model))
    assert ('second' in message) == (fault == 'raises')


def test_a_copy_does_not_tell_again_what_either_told(caplog):
    def drawing(p, model, data, option, scene):
        raise ValueError('no colour')

    methods = {'name': 'test.colourless', 'visualize': staticmethod(drawing)}
    register(type('Colourless', (WarmMotor,), methods))
    model = warm_motor('test.colourless')
    data, copy = mujoco.MjData(model), mujoco.MjData(model)
    scene, everything = mujoco.MjvScene(model, 10), mujoco.mjtCatBit.mjCAT_ALL
    arguments = mujoco.MjvOption(), mujoco.MjvPerturb(), mujoco.MjvCamera(), everything, scene
    for _ in range(3):
        mujoco.mj_copyData(copy, model, data)
        mujoco.mjv_updateScene(model, copy, *arguments)
    (record,) = caplog.records
    assert 'visualize of engine plugin test.colourless' in record.getMessage()


@pytest.mark.parametrize('method', ['distance', 'gradient'])
def test_a_shape_that_diverges_is_named_once(method, caplog):
    class Ball(EnginePlugin):
        name = f'test.ball_without_{method}'
        capabilities = Capability.SDF

        @classmethod
        def bounds(cls, config):
            return 0.6, 0.6, 0.6

        @staticmethod
        def distance(shape, point):
            return math.sqrt(point[0] ** 2 + point[1] ** 2 + point[2] ** 2) - 0.5

    def nothing(shape, point, gradient):
        gradient[:] = math.nan

    broken = staticmethod((lambda shape, point: math.nan) if method == 'distance' else nothing)
    register(Ball)
    model = mujoco.MjModel.from_xml_string(f"""
        <mujoco>
          <extension><plugin plugin="{Ball.name}"><instance name="ball"/></plugin></extension>
          <asset><mesh name="ball"><plugin instance="ball"/></mesh></asset>
          <worldbody>
            <geom size="0.2" pos="0 0 -0.65"/>
            <body><freejoint/><geom type="sdf" mesh="ball"><plugin instance="ball"/></geom></body>
          </worldbody>
        </mujoco>
    """)
    register(type('Broken', (Ball,), {method: broken, '__module__': Ball.__module__}))
    with caplog.at_level(logging.WARNING):
        mujoco.mj_step(model, mujoco.MjData(model), 20)
    (said,) = (r.getMessage() for r in caplog.records if 'engine plugin' in r.getMessage())
    assert (
        f'gradient of engine plugin {Ball.name}, instance ball returns values that are not finite'
        in said
    )


INTERRUPTED = """
import builtins, sys
import mujoco
from mujoco_ros_py.engine.engine_plugins import Capability, EnginePlugin, register
class Stopped(EnginePlugin):
    name = 'test.stopped'
    capabilities = Capability.ACTUATOR | Capability.SDF
    @classmethod
    def bounds(cls, config):
        return 1.0, 1.0, 1.0
    @staticmethod
    def compute_actuator(p, model, data):
        pass
    @staticmethod
    def distance(shape, point):
        return abs(point[0]) + abs(point[1]) + abs(point[2]) - 0.5
register(Stopped)
for stop in sys.argv[2:]:
    method, kind = stop.split()
    works, calls = getattr(Stopped, method), []
    def once(cls, *arguments):
        calls.append(1)
        if len(calls) == 1:
            raise getattr(builtins, kind)('stop')
        return works(*arguments)
    setattr(Stopped, method, classmethod(once))
    try:
        mujoco.MjModel.from_xml_string(sys.argv[1])
    except ValueError as error:
        print(method, str(error).replace('\\n', ' '))
    mujoco.MjModel.from_xml_string(sys.argv[1])
    setattr(Stopped, method, works)
"""
STOPPED = """
<mujoco>
  <extension><plugin plugin="test.stopped"><instance name="i"/></plugin></extension>
  <asset><mesh name="m"><plugin instance="i"/></mesh></asset>
  <worldbody>
    <body><joint name="j"/><geom type="sdf" mesh="m"><plugin instance="i"/></geom></body>
  </worldbody>
  <actuator><plugin joint="j" instance="i"/></actuator>
</mujoco>
"""


STOPS = {
    'state_size': 'KeyboardInterrupt',
    'bounds': 'SystemExit',
    'shape': 'KeyboardInterrupt',
    'parameters': 'SystemExit',
}
"""The exception that the first call of each method raises."""


def test_ctrl_c_and_all_else_in_a_method_ends_no_process():
    """Ctrl-C is raised once, possibly while functions are being compiled."""
    done = subprocess.run(
        [sys.executable, '-c', INTERRUPTED, STOPPED, *map(' '.join, STOPS.items())],
        capture_output=True, text=True, timeout=DEADLINE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for method, kind in STOPS.items():
        (told,) = [line for line in done.stdout.splitlines() if line.startswith(method)]
        assert f"engine plugin test.stopped, instance 'i': {kind}: stop" in told
    assert 'ignored' not in done.stderr


def test_memory_that_is_not_there_is_an_error_of_the_model(monkeypatch):
    register(WarmMotor)
    model = warm_motor()

    class AlignedAlloc:
        def __call__(self, alignment, size):
            return None

    with monkeypatch.context() as patch:
        empty = types.SimpleNamespace(aligned_alloc=AlignedAlloc())
        patch.setattr(ctypes, 'CDLL', lambda name: empty)
        with pytest.raises((ValueError, mujoco.FatalError), match='init'):
            mujoco.MjData(model)
        with pytest.raises(ValueError, match=r"instance 'motor': MemoryError: cannot allocate"):
            warm_motor()
    mujoco.mj_step(model, mujoco.MjData(model))


def test_passive_forces_that_diverge_name_the_plugin_among_several(caplog):
    class Calm(EnginePlugin):
        name = 'test.calm'
        capabilities = Capability.PASSIVE
        force = Attribute('0')

        @classmethod
        def parameters(cls, config, instance):
            return {'force': float(config['force'])}

        @staticmethod
        def compute_passive(p, model, data):
            data.qfrc_passive[0] += p.force

    register(Calm)
    instances = ''.join(
        f'<instance name="{name}"><config key="force" value="{force}"/></instance>'
        for name, force in {'one': 1, 'two': 'inf', 'three': 1}.items()
    )
    bodies = ''.join(
        f'<body><joint/><geom size="1"/><plugin instance="{name}"/></body>'
        for name in ('one', 'two', 'three')
    )
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><extension><plugin plugin="test.calm">{instances}</plugin></extension>'
        f'<worldbody>{bodies}</worldbody></mujoco>'
    )
    caplog.clear()  # the compiler creates its own data
    with caplog.at_level(logging.WARNING):
        mujoco.mj_forward(model, mujoco.MjData(model))
    (record,) = caplog.records
    assert 'compute_passive of engine plugin test.calm, instance two' in record.getMessage()


@pytest.mark.parametrize(
    ('functions', 'message'),
    [
        (
            {'compute_actuator': lambda p, model: None},
            r'must take \(p, model, data\), got \(p, m',
        ),
        ({'reset': lambda p: None}, r'reset must take \(p, state\), got \(p\)'),
        ({'distance': lambda shape: 0.0}, 'must not define distance'),
    ],
)
def test_functions_with_a_wrong_signature_are_refused(functions, message):
    methods = {name: staticmethod(code) for name, code in functions.items()}
    plugin = type('Odd', (WarmMotor,), {'name': 'test.odd', **methods})
    with pytest.raises(PluginError, match=message):
        register(plugin)


def test_a_function_with_self_is_refused():
    class Bound(WarmMotor):
        name = 'test.bound'

        def advance(self, model, data):
            pass

    with pytest.raises(PluginError, match=r'Bound\.advance must be a @staticmethod'):
        register(Bound)


@pytest.mark.parametrize(
    ('method', 'value', 'message'),
    [
        ('state_size', -1, 'state_size must be an integer >= 0, got -1'),
        ('state_size', 'two', "must be an integer >= 0, got 'two'"),
        ('sensor_size', 1.5, 'sensor_size must be an integer >= 0, got 1.5'),
        ('parameters', {'gain': 'strong'}, "state field 'gain' must be numeric"),
    ],
)
def test_methods_that_return_what_they_must_not_are_errors_of_the_compiler(method, value, message):
    name = f'test.returns_{method}_{value}'
    returns = {method: classmethod(lambda cls, *_: value)}
    register(type('Returns', (WarmMotor,), {'name': name, **returns}))
    with pytest.raises(ValueError, match=f"{name}.*instance 'motor'.*{message}"):
        warm_motor(name)


def test_two_instances_of_one_name_are_an_error_of_the_compiler():
    register(WarmMotor)
    with pytest.raises(ValueError, match="repeated name 'motor'"):
        mujoco.MjModel.from_xml_string(
            f'<mujoco><extension><plugin plugin="{WarmMotor.name}">'
            '<instance name="motor"/><instance name="motor"/></plugin></extension></mujoco>'
        )


@pytest.mark.parametrize('method', ['state_size', 'sensor_size', 'parameters'])
def test_methods_that_raise_are_errors_of_the_compiler_that_name_the_kind(method):
    def fail(cls, *_):
        raise MemoryError('no room for the weights')

    name = f'test.raises_{method}'
    register(type('Raises', (WarmMotor,), {'name': name, method: classmethod(fail)}))
    with pytest.raises(ValueError, match="instance 'motor': MemoryError: no room for the weights"):
        warm_motor(name)
