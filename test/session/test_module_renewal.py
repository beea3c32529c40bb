"""A reload runs an edited file; an edit that cannot be imported changes nothing."""

from __future__ import annotations

import gc
import logging
import re
import weakref

import pytest

from mujoco_ros_py.config import parameters_of
from mujoco_ros_py.engine.resources import read
from mujoco_ros_py.errors import ConfigError, ModelError, PluginError
from mujoco_ros_py.session import Session
from mujoco_ros_py.user_modules import import_user_module

from .edited_package import CONTROLLER

SLIDER = """
<mujoco>
  <worldbody><body><joint name="slide" type="slide"/><geom size="0.1"/></body></worldbody>
  <actuator><motor joint="slide"/></actuator>
</mujoco>
"""


def session_of(*plugins, **options) -> Session:
    return Session(mujoco_xml=SLIDER, plugins=list(plugins), reload_modules=True, **options)


def control(session) -> float:
    """Returns what the plugins' callbacks have set in another step."""
    session.step()
    return float(session.call(lambda model, data: data.ctrl[0]))


@pytest.fixture
def running(robot):
    """A session with the controller in Python, which sets 1."""
    with session_of({'type': robot.type('Controller')}) as session:
        assert control(session) == 1.0
        yield session


def test_an_edited_plugin_runs_after_a_reload(robot, running):
    robot.replace('controller', 'GAIN + self', '2 * GAIN + self')
    assert control(running) == 1.0
    assert running.reload() == ['1 of 1 plugins ready']
    assert control(running) == 2.0


def test_what_it_imports_from_its_package_may_be_edited(robot, running):
    for value in ('3.0', '4.0'):
        robot.write('gains', f'GAIN = {value}\n')
        running.reload()
        assert control(running) == float(value)


def test_without_the_parameter_a_reload_reads_configurations_and_no_code(robot):
    with Session(mujoco_xml=SLIDER, plugins=[{'type': robot.type('Controller')}]) as session:
        before = robot.modules()
        robot.write('gains', 'GAIN = 3.0\n')
        session.reload()
        assert control(session) == 1.0
        assert robot.modules() == before


@pytest.mark.slow
def test_machine_code_is_that_of_the_edited_source(robot):
    robot.write('deeper', 'FACTOR = 1.0\n')
    robot.write(
        'helpers',
        'import numba\nfrom . import deeper\n\n@numba.njit\n'
        'def scaled(x):\n    return x * 1.0 * deeper.FACTOR\n',
    )
    robot.replace('controller', 'from .gains', 'from .helpers import scaled\nfrom .gains')
    robot.replace('controller', 'GAIN + state', 'scaled(GAIN) + state')
    changes = {
        'a constant of its module': ('controller', 'scaled(GAIN)', '2.0 * scaled(GAIN)'),
        'a constant of another module': ('gains', '1.0', '2.0'),
        'a helper function': ('helpers', 'x * 1.0', 'x * 2.0'),
        'a constant of a helper function': ('deeper', '1.0', '2.0'),
    }
    with session_of({'type': robot.type('Compiled')}, boundscheck=False) as session:
        assert session.problems == []
        assert control(session) == 1.0
        for number, (what, (module, old, new)) in enumerate(changes.items(), 1):
            robot.replace(module, old, new)
            session.reload()
            assert control(session) == 2.0**number, what


FAULTS = {
    'SyntaxError': ('gains', 'GAIN = 2.0\nGAIN +\n', 2),
    'ImportError': ('controller', 'import math\n\nfrom .gains import NO_SUCH\n', 3),
    'ModuleNotFoundError': ('gains', '\nimport no_such_module\n', 2),
    'ZeroDivisionError': ('gains', 'GAIN = 2.0\n\n\nGAIN / 0\n', 4),
    'SystemExit': ('gains', 'raise SystemExit(1)\n', 1),
}


@pytest.mark.slow
@pytest.mark.parametrize('fault', FAULTS)
def test_a_module_that_does_not_import_leaves_everything_running_and_says_where(
    robot, running, fault, caplog
):
    plugin, modules = running.plugins['controller'], robot.modules()
    running.step(10)
    time, steps = running.time, running.status.steps
    name, source, line = FAULTS[fault]
    path = robot.write(name, source)

    with pytest.raises(PluginError) as caught:
        running.reload()

    said = re.fullmatch(
        r"plugin type '(.*)' \(entry point .*\): cannot import (.*): (\w+): .* \((.*):(\d+)\)",
        str(caught.value),
    )
    assert said, caught.value
    assert said.groups() == (
        robot.type('Controller'), f'{robot.name}.controller', fault, str(path), str(line)
    )  # fmt: skip
    (logged,) = [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert logged.exc_info is not None
    assert running.plugins == {'controller': plugin}
    assert (running.time, running.status.steps) == (time, steps)
    assert robot.modules() == modules
    assert control(running) == 1.0

    robot.write('controller', CONTROLLER)
    robot.write('gains', 'GAIN = 7.0\n')
    assert running.reload() == ['1 of 1 plugins ready']
    assert control(running) == 7.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ('old', 'new', 'said'),
    [
        ('class Controller(', 'class Controler(', "has unknown class 'Controller'"),
        ('class Controller(MujocoPlugin[Config])', 'class Controller', 'does not derive from'),
        ('def control_callback(self, model, data)', 'def control_callback(self)', 'must take'),
        ('class Controller(', 'Controller = 3\nclass _C(', 'must be a class, got int'),
    ],
)
def test_a_class_that_is_no_plugin_any_more_leaves_everything_running(
    robot, running, old, new, said
):
    plugin, modules = running.plugins['controller'], robot.modules()
    robot.replace('controller', old, new)
    with pytest.raises(PluginError, match=said):
        running.reload()
    assert running.plugins == {'controller': plugin}
    assert robot.modules() == modules
    assert control(running) == 1.0
    robot.replace('controller', new, old)
    robot.write('gains', 'GAIN = 7.0\n')
    running.reload()
    assert control(running) == 7.0


def test_a_plugin_that_was_never_ready_does_not_stand_in_the_way_of_others(robot):
    robot.offer('broken:Broken')
    robot.write('broken', 'import no_such_module\n')
    with session_of({'type': robot.type('Controller')}, {'type': robot.type('Broken')}) as session:
        assert list(session.plugins) == ['controller']
        robot.write('gains', 'GAIN = 3.0\n')
        ready, reason = session.reload()
        assert ready == '1 of 2 plugins ready'
        assert "No module named 'no_such_module'" in reason
        assert control(session) == 3.0


def test_a_broken_module_whose_plugin_is_listed_no_more_is_nobodys_business(robot, running):
    robot.write('gains', 'GAIN +\n')
    assert running.reload(plugins=[]) == []
    assert running.plugins == {}


@pytest.mark.parametrize('strict', [False, True])
def test_a_model_that_does_not_compile_takes_the_edit_back(robot, strict):
    with session_of({'type': robot.type('Controller')}, strict=strict) as session:
        modules = robot.modules()
        robot.write('gains', 'GAIN = 3.0\n')
        with pytest.raises(ModelError):
            session.reload(model='no_such_model.xml')
        assert robot.modules() == modules
        assert control(session) == 1.0
        session.reload()
        assert control(session) == 3.0


def test_with_strict_an_edit_that_does_not_load_is_taken_back(robot):
    late = 'from .gains import GAIN as late\n        data.ctrl[0] = late'
    robot.replace('controller', 'data.ctrl[0] = GAIN + self', f'{late} + self')
    with session_of({'type': robot.type('Controller')}, strict=True) as session:
        plugin, modules = session.plugins['controller'], robot.modules()
        robot.write('gains', 'GAIN = 3.0\n')
        refusing = (
            'class Controller(MujocoPlugin[Config]):\n    def load(self, *_):\n        1 / 0\n'
        )
        robot.replace('controller', 'class Controller(MujocoPlugin[Config]):\n', refusing)
        with pytest.raises(PluginError, match='ZeroDivisionError'):
            session.reload()
        assert session.plugins == {'controller': plugin}
        assert robot.modules() == modules
        assert control(session) == 1.0
        robot.replace('controller', '1 / 0', 'pass')
        session.reload()
        assert control(session) == 3.0


def test_a_plugin_stays_only_if_its_class_does(robot):
    robot.offer('other:Other')
    robot.write(
        'other',
        'from mujoco_ros_py.plugins import Adaptable, MujocoPlugin\n\n'
        'class Other(MujocoPlugin, Adaptable):\n    def adapt(self, model, data):\n        pass\n',
    )
    kinds = [{'type': robot.type('Staying')}, {'type': robot.type('Other')}]
    with session_of(*kinds) as session:
        before = session.plugins
        session.reload()
        assert session.plugins == before
        robot.write('gains', 'GAIN = 3.0\n')
        session.reload()
        assert session.plugins['staying'] is not before['staying']
        assert session.plugins['other'] is before['other']


@pytest.mark.slow
def test_plugins_of_one_package_share_their_new_classes(robot):
    robot.offer('other:Other')
    robot.write(
        'other',
        'from mujoco_ros_py.plugins import MujocoPlugin\nfrom .controller import Controller\n\n'
        'class Other(MujocoPlugin):\n    def load(self, model, data):\n'
        "        assert isinstance(self.environment.plugin('controller'), Controller)\n",
    )
    kinds = [{'type': robot.type('Controller')}, {'type': robot.type('Other')}]
    with session_of(*kinds) as session:
        for value in ('3.0', '4.0'):
            robot.write('gains', f'GAIN = {value}\n')
            assert session.reload() == ['2 of 2 plugins ready']


def test_the_class_of_a_configuration_is_the_new_one(robot, running):
    robot.replace('controller', '    offset: float', '    extra: float = 1.0\n    offset: float')
    robot.replace('controller', 'GAIN + self', 'GAIN + self.config.extra + self')
    running.reload(plugins=[{'type': robot.type('Controller'), 'extra': 4.0, 'offset': 0.5}])
    assert control(running) == 5.5
    running.configure('controller', offset=1.5)
    assert control(running) == 6.5


def test_the_docstrings_of_a_configuration_are_the_new_ones(robot, running):
    def description() -> str:
        config = running.plugins['controller'].config
        return parameters_of(config)['offset'].description

    assert description() == 'What is added.'
    robot.replace('controller', 'What is added.', 'What is ADDED.')
    running.reload()
    assert description() == 'What is ADDED.'


def test_an_edited_configuration_that_refuses_the_values_refuses_the_plugin_alone(robot, running):
    robot.replace('controller', 'offset: float = ranged(0.0, live=True)', 'offset: float')
    ready, reason = running.reload()
    assert ready == '0 of 1 plugins ready'
    assert 'offset must be given' in reason


def test_a_program_has_its_own_class_until_it_gives_another_one(robot):
    module = import_user_module(f'{robot.name}.controller')
    given, found = {'type': module.Controller, 'name': 'given'}, {'type': robot.type('Staying')}
    with session_of(given, found) as session:
        robot.write('gains', 'GAIN = 3.0\n')
        session.reload()
        assert type(session.plugins['given']) is module.Controller
        assert type(session.plugins['staying']) is robot.module('controller').Staying
        assert type(session.plugins['staying']) is not module.Staying
        assert control(session) == 1.0


def test_what_the_program_has_imported_is_used_at_first(robot):
    module = __import__(f'{robot.name}.controller', fromlist=['Controller'])
    with session_of({'type': robot.type('Controller')}) as session:
        assert type(session.plugins['controller']) is module.Controller


@pytest.mark.slow
def test_another_session_goes_on_with_what_it_has(robot, running):
    with session_of({'type': robot.type('Controller')}) as other:
        robot.write('gains', 'GAIN = 3.0\n')
        running.reload()
        assert (control(running), control(other)) == (3.0, 1.0)
        other.reload()
        assert (control(running), control(other)) == (3.0, 3.0)


SCENE = """
from mujoco_ros_py import mjcf

from .gains import GAIN


def scene():
    made = mjcf.RootElement()
    body = made.worldbody.add('body')
    body.add('joint', name='slide', type='slide')
    body.add('geom', size=[0.1], mass=GAIN)
    made.actuator.add('motor', joint='slide')
    return made
"""


def mass(session) -> float:
    return float(session.call(lambda model, data: model.body_mass[1]))


@pytest.mark.slow
def test_a_scene_from_python_is_edited_in_the_same_way(robot):
    robot.write('scenes', SCENE)
    uri = f'python://{robot.name}.scenes:scene'
    plugin = {'type': robot.type('Controller')}
    options = {'model_modules': [robot.name], 'reload_modules': True}
    with Session(uri, [plugin], **options) as session:
        assert mass(session) == 1.0
        robot.write('gains', 'GAIN = 3.0\n')
        session.reload()
        assert (mass(session), control(session)) == (3.0, 3.0)

        modules = robot.modules()
        robot.write('gains', 'GAIN = 4.0\n')
        path = robot.replace('scenes', 'mass=GAIN', 'mass=GAIN)')
        with pytest.raises(ModelError) as caught:
            session.reload()
        line = path.read_text().partition('mass=')[0].count('\n') + 1
        assert str(caught.value).startswith(f'{uri}: cannot import {robot.name}.scenes: Syntax')
        assert str(caught.value).endswith(f'({path}:{line})')
        assert robot.modules() == modules
        assert (mass(session), control(session)) == (3.0, 3.0)
        robot.replace('scenes', 'mass=GAIN)', 'mass=GAIN')
        session.reload()
        assert (mass(session), control(session)) == (4.0, 4.0)


PUSH = """
from mujoco_ros_py.engine.engine_plugins import Attribute, Capability, EnginePlugin

from .gains import GAIN


class Push(EnginePlugin):
    name = 'NAME.push'
    capabilities = Capability.PASSIVE

    @staticmethod
    def compute_passive(p, model, data):
        data.qfrc_passive[0] += GAIN
"""


@pytest.mark.slow
def test_an_engine_plugin_is_edited_in_the_same_way_and_taken_back(robot):
    robot.write('engine', PUSH.replace('NAME', robot.name))
    robot.offer('engine:Push', group='engine_plugins')
    extension = f'<extension><plugin plugin="{robot.name}.push"/></extension>'
    pushed = SLIDER.replace('<mujoco>', f'<mujoco>{extension}')
    pushed = pushed.replace(
        '<geom size="0.1"/>', f'<geom size="0.1"/><plugin plugin="{robot.name}.push"/>'
    )

    def force(session) -> float:
        session.step()
        return float(session.call(lambda model, data: data.qfrc_passive[0]))

    options = {'engine_plugins': [robot.type('Push')], 'reload_modules': True}
    with Session(mujoco_xml=pushed, **options) as session:
        assert force(session) == 1.0
        robot.write('gains', 'GAIN = 3.0\n')
        session.reload()
        assert force(session) == 3.0

        robot.write('gains', 'GAIN = 4.0\n')
        with pytest.raises(ModelError):
            session.reload(model='no_such_model.xml')
        assert force(session) == 3.0
        with Session(mujoco_xml=pushed) as other:
            assert force(other) == 3.0

        path = robot.write('gains', 'GAIN +\n')
        with pytest.raises(ConfigError, match=rf'SyntaxError: .* \({re.escape(str(path))}:1\)'):
            session.reload()
        assert force(session) == 3.0


@pytest.mark.slow
def test_a_resource_provider_that_a_module_registers_is_taken_back_with_it(robot):
    prefix = robot.name.replace('_', '')
    robot.replace('controller', 'from .gains', 'from . import files\nfrom .gains')
    robot.write(
        'files',
        'from mujoco_ros_py.engine.resources import ResourceProvider, register\n'
        'from .gains import GAIN\n\n'
        f'class Files(ResourceProvider):\n    prefix = {prefix!r}\n'
        '    def open(self, uri):\n        return str(GAIN).encode()\n'
        '    def read(self, opened):\n        return opened\n\nregister(Files)\n',
    )
    with session_of({'type': robot.type('Controller')}) as session:
        assert read(f'{prefix}:x') == b'1.0'
        robot.write('gains', 'GAIN = 3.0\n')
        with pytest.raises(ModelError):
            session.reload(model='no_such_model.xml')
        assert read(f'{prefix}:x') == b'1.0'
        session.reload()
        assert read(f'{prefix}:x') == b'3.0'


OVERLOAD = """
import numpy as np
from numba.extending import overload, register_jitable

from .gains import GAIN


def own(x):
    return x * GAIN


@overload(own)
def _own(x):
    return lambda x: x * GAIN


@overload(np.FUNCTION)
def _of_package(x):
    return lambda x: x * GAIN


@register_jitable
def inner(x):
    return x * GAIN
"""


@pytest.mark.slow
@pytest.mark.parametrize(('free', 'strict'), [('array2string', False), ('shares_memory', True)])
def test_overloads_for_numba_are_those_of_the_modules_that_run(robot, free, strict):
    # no other test overloads this function of NumPy
    robot.write('overloads', OVERLOAD.replace('FUNCTION', free))
    robot.replace(
        'controller',
        'from .gains',
        'import numpy as np\nfrom .overloads import inner, own\nfrom .gains',
    )
    robot.replace('controller', 'GAIN + state', f'own(np.{free}(inner(1.0))) + state')
    with session_of({'type': robot.type('Compiled')}, strict=strict) as session:
        assert session.problems == []
        assert control(session) == 1.0
        for value in (2.0, 3.0):
            robot.write('gains', f'GAIN = {value}\n')
            session.reload()
            assert control(session) == value**3

        robot.write('gains', 'GAIN = 4.0\n')
        robot.replace('controller', 'class Staying', '1 / 0\n\nclass Staying')
        for _ in range(2):
            with pytest.raises(PluginError, match='ZeroDivisionError'):
                session.reload()
            assert control(session) == 27.0
        # a callback that is compiled now, by the same modules, has the overloads that run
        with session_of({'type': robot.type('Compiled'), 'offset': 0.5}) as other:
            assert control(other) == 27.5


@pytest.mark.slow
@pytest.mark.parametrize('kind', ['Controller', 'Compiled'])
def test_nothing_of_an_edited_module_is_left_behind(robot, kind):
    with session_of({'type': robot.type(kind)}) as session:
        versions = []
        for value in ('2.0', '3.0'):
            versions.append(weakref.ref(robot.module('controller').Config))
            robot.write('gains', f'GAIN = {value}\n')
            session.reload()
            assert control(session) == float(value)
        gc.collect()
        assert [version() for version in versions] == [None] * len(versions)
        assert robot.module('controller').Config is type(session.plugins[kind.lower()].config)
