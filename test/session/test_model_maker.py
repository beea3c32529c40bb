"""The parameter `engine_plugins`, and models that need plugins which it does not list."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine.engine_plugins import registered_classes
from mujoco_ros_py.engine.engine_plugins.rules import check_class
from mujoco_ros_py.errors import ConfigError, ModelError
from mujoco_ros_py.plugins.host.description_files import Base
from mujoco_ros_py.plugins.host.plugin_types import known_types, load_class
from mujoco_ros_py.session import Session
from mujoco_ros_py.session.model_maker import compile_with_plugins, switch_on
from mujoco_ros_py.simulation import ModelSource

_numbers = itertools.count()
PUSH = """
from mujoco_ros_py.engine.engine_plugins import Attribute, Capability, EnginePlugin

class Push(EnginePlugin):
    name = 'test.NAME'
    capabilities = Capability.PASSIVE
    force = Attribute(1.0)

    @staticmethod
    def compute_passive(p, model, data):
        data.qfrc_passive[0] += p.force

class Other(Push):
    pass

class Apart(Push):
    name = 'test.NAME.apart'

class Lacking(EnginePlugin):
    name = 'test.NAME.lacking'

class Stranger:
    pass
"""
TYPES = ('Push', 'Other', 'Apart', 'Lacking', 'Stranger')


@pytest.fixture
def package(tmp_path, monkeypatch) -> str:
    """A package with engine plugins, installed as by pip under a new name."""
    name, site = f'pushers{next(_numbers)}', tmp_path / 'site'
    information = site / f'{name}-1.0.dist-info'
    information.mkdir(parents=True)
    (site / f'{name}.py').write_text(PUSH.replace('NAME', name))
    (information / 'METADATA').write_text(f'Name: {name}\nVersion: 1.0\n')
    rows = ''.join(f'{name}/{each} = {name}:{each}\n' for each in (*TYPES, 'Absent'))
    (information / 'entry_points.txt').write_text(f'[mujoco_ros_py.engine_plugins]\n{rows}')
    monkeypatch.syspath_prepend(site)
    monkeypatch.chdir(tmp_path)
    return name


def model(plugin: str) -> ModelSource:
    return ModelSource(
        xml=f'<mujoco><extension><plugin plugin="{plugin}"/></extension><worldbody><body>'
        f'<plugin plugin="{plugin}"/><joint/><geom size="0.1"/></body></worldbody></mujoco>'
    )


def compiled(plugin: str) -> bool:
    return compile_with_plugins(model(plugin)).nplugin == 1


def refusal(*values: str) -> str:
    with pytest.raises(ConfigError) as caught:
        switch_on(values)
    return str(caught.value)


def test_types_libraries_and_directories_that_are_listed_work_in_models_also_if_listed_again(
    package, plugin_library: Callable[..., Path], tmp_path
):
    plugin_library('one.so', f'add("test.{package}.one");')
    plugin_library('all/two.so', f'add("test.{package}.two");')
    listed = f'{package}/Push', f'{package}/Apart', str(tmp_path / 'one.so'), './all'
    for values in (listed, (*listed, *listed)):
        switch_on(values)
        for name in ('', '.apart', '.one', '.two'):
            assert compiled(f'test.{package}{name}')
    is_refused_where_its_plugins_are_not_there(tmp_path / 'model.mjb', package)


def is_refused_where_its_plugins_are_not_there(path: Path, package: str) -> None:
    saved = compile_with_plugins(model(f'test.{package}'))
    mujoco.mj_saveModel(saved, str(path))
    assert compile_with_plugins(ModelSource(path=str(path))).nplugin == 1
    (number,) = saved.plugin
    content = path.read_bytes()
    saved.plugin[0] = 1000
    mujoco.mj_saveModel(saved, str(path))
    assert path.read_bytes() != content
    with pytest.raises(
        ModelError, match=r'model\.mjb: uses engine plugin 1000, but only \d+ are registered: '
    ):
        compile_with_plugins(ModelSource(path=str(path)))
    assert number < 1000


@pytest.mark.slow
def test_what_one_session_lists_is_there_for_all_and_checked_as_the_last_one_asks(package):
    name, xml = f'test.{package}', model(f'test.{package}').xml
    listed = [f'{package}/Push']
    with pytest.raises(ModelError, match='not found'):
        Session(mujoco_xml=xml)
    with Session(mujoco_xml=xml, engine_plugins=listed, boundscheck=True) as checked:
        with Session(mujoco_xml=xml) as other:
            other.step()
            assert other.snapshot().data.qfrc_passive == [1.0]
            assert registered_classes()[name][1], 'a session that does not list it says nothing'
        with Session(mujoco_xml=xml, engine_plugins=listed):
            assert not registered_classes()[name][1]
        checked.reload()
        assert registered_classes()[name][1]


@pytest.mark.parametrize(
    ('value', 'message'),
    [
        ('{}/Puhs', "unknown engine plugin type '{}/Puhs' (did you mean '{}/Push'?); known: "),
        ('mujoco_ros_py/Cameras', "unknown engine plugin type 'mujoco_ros_py/Cameras'"),
        ('{}/Stranger', '{}/Stranger: Stranger does not derive from EnginePlugin'),
        ('{}/Lacking', 'Lacking needs at least one of the capabilities ACTUATOR, SENSOR, PASSIVE'),
        ('{}/Absent', "has unknown class 'Absent'; known: "),
        ('./none.so', 'none.so: no such file'),
        ('none.so', 'none.so: no such file'),
        ('/none', '/none: no such file'),
        ('package://no_such_pkg/a.so', "no package 'no_such_pkg' in AMENT_PREFIX_PATH"),
        ('./text.so', 'text.so: cannot be loaded: invalid ELF header'),
        ('./empty', 'empty: contains no shared library (*.so)'),
    ],
)
def test_what_cannot_be_switched_on_is_refused_with_its_place(package, tmp_path, value, message):
    (tmp_path / 'text.so').write_text('no library ' * 100)
    (tmp_path / 'empty').mkdir()
    said = refusal(f'{package}/Push', value.format(package))
    assert said.startswith('engine_plugins[1]: ')
    assert message.replace('{}', package) in said


def test_a_path_that_looks_like_a_type_is_refused_with_how_to_write_it(package, tmp_path):
    (tmp_path / 'build' / 'plugins').mkdir(parents=True)
    assert refusal('build/plugins').endswith('; write the path as ./build/plugins')


def test_two_types_of_one_name_are_refused_and_one_may_follow_the_other(package):
    assert refusal(f'{package}/Push', f'{package}/Other') == (
        f"engine_plugins[1]: {package}/Other has the same name 'test.{package}' as {package}/Push"
    )
    switch_on([f'{package}/Other'])
    assert compiled(f'test.{package}')


@pytest.mark.slow
def test_a_plugin_that_is_missing_is_an_error_that_names_those_there_are():
    with pytest.raises(ModelError) as caught:
        compile_with_plugins(model('test.absent'))
    said = str(caught.value)
    assert said.startswith('mujoco_xml: XML Error: plugin test.absent not found')
    assert 'known plugins: ' in said
    assert said.endswith('; list others in engine_plugins')
    assert {'mujoco.pid', 'mujoco_ros_py.pid'} <= {
        *said.partition('known plugins: ')[2].split(', ')
    }


def test_another_error_of_a_model_stays_as_it_is():
    with pytest.raises(ModelError) as caught:
        compile_with_plugins(ModelSource(xml='<mujoco><plugin/></mujoco>'))
    assert 'known plugins' not in str(caught.value)


SHIPPED = """
import sys
import mujoco
from mujoco_ros_py.engine.engine_plugins import plugin_table
from mujoco_ros_py.session.model_maker import compile_with_plugins, switch_on
from mujoco_ros_py.simulation import ModelSource

body = '<worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>'
plugin = 'plugin="mujoco_ros_py.pid"'
before = plugin_table.names()
compile_with_plugins(ModelSource(xml=f'<mujoco>{body}</mujoco>'))
assert plugin_table.names() == before
switch_on(sys.argv[1:])
model = compile_with_plugins(ModelSource(
    xml=f'<mujoco><extension><plugin {plugin}/></extension>{body}'
    f'<actuator><plugin joint="j" {plugin}/></actuator></mujoco>'
))
data = mujoco.MjData(model)
mujoco.mj_step(model, data)
print(data.actuator_force[0])
"""
OWN = """
from mujoco_ros_py.engine.engine_plugins.shipped.pid import Pid

class Own(Pid):
    @staticmethod
    def compute_actuator(p, model, data):
        data.actuator_force[0] = 7.0
"""


@pytest.mark.slow
@pytest.mark.parametrize(('listed', 'force'), [((), '0.0'), (('own/Own',), '7.0')])
def test_a_model_gets_the_plugins_that_ship_unless_a_class_stands_in(tmp_path, listed, force):
    information = tmp_path / 'own-1.0.dist-info'
    information.mkdir()
    (tmp_path / 'own.py').write_text(OWN)
    (information / 'METADATA').write_text('Name: own\nVersion: 1.0\n')
    (information / 'entry_points.txt').write_text(
        '[mujoco_ros_py.engine_plugins]\nown/Own = own:Own\n'
    )
    (tmp_path / 'main.py').write_text(SHIPPED)
    done = subprocess.run(
        [sys.executable, 'main.py', *listed], cwd=tmp_path, capture_output=True, timeout=DEADLINE_S
    )
    assert (done.returncode, done.stderr) == (0, b'')
    assert done.stdout.decode().strip() == force


def test_every_plugin_that_ships_can_be_registered():
    shipped = [t for t in known_types(Base.ENGINE).values() if t.name.startswith('mujoco_ros_py/')]
    assert 'mujoco_ros_py/Pid' in {description.name for description in shipped}
    for description in shipped:
        check_class(load_class(description))
    cable = (
        mujoco.__version__.startswith('3.') and 'mujoco_ros_py/ElasticityCable'
    )  # it has its own
    switch_on([each.name for each in shipped if each.name != cable])
