from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from mujoco_ros_py.config import PluginConfig
from mujoco_ros_py.errors import PluginError
from mujoco_ros_py.plugins.host import PluginHost, PluginState, plugin_types
from mujoco_ros_py.plugins.host.description_files import Base, PluginDescription
from mujoco_ros_py.plugins.host.plugin_types import (
    KnownTypes,
    described_types,
    find_type,
    known_types,
    load_class,
)

INDEX = 'share/ament_index/resource_index/mujoco_ros_py__pluginlib__plugin'


def library(*classes: str, module: str = 'arm_plugins', base: str = 'MujocoPlugin') -> str:
    rows = ''.join(
        f'<class name="{name}" type="{name.partition("/")[2]}"'
        f' base_class_type="mujoco_ros_py::{base}"/>'
        for name in classes
    )
    return f'<library path="{module}">{rows}</library>'


def install(prefix: Path, package: str, xml: str, resource: str = '') -> Path:
    """A package with a description file, in an installation as colcon makes it."""
    file = prefix / 'share' / package / 'plugins.xml'
    file.parent.mkdir(parents=True)
    file.write_text(xml)
    (prefix / INDEX).mkdir(parents=True, exist_ok=True)
    (prefix / INDEX / package).write_text(resource or f'share/{package}/plugins.xml\n')
    return file


@pytest.fixture(autouse=True)
def machine(tmp_path, monkeypatch):
    """A machine with one built-in type and nothing else installed."""
    builtin = tmp_path / 'builtin.xml'
    builtin.write_text(library('mujoco_ros_py/Hold', module='mujoco_ros_py.builtin.hold'))
    monkeypatch.setattr(plugin_types, '_BUILTIN', builtin)
    monkeypatch.setattr(sys, 'prefix', str(tmp_path / 'environment'))
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path / 'workspace'))
    monkeypatch.syspath_prepend(tmp_path / 'site')
    plugin_types._report.cache_clear()


@pytest.fixture
def workspace(tmp_path) -> Path:
    return tmp_path / 'workspace'


@pytest.fixture
def site(tmp_path) -> Path:
    """A folder on sys.path."""
    (tmp_path / 'site').mkdir()
    return tmp_path / 'site'


@pytest.fixture
def distribution(site) -> Callable[[str], None]:
    def make(entry_points: str | bytes, group: str = 'plugins') -> None:
        info = site / 'arm_control-1.0.dist-info'
        info.mkdir()
        (info / 'METADATA').write_text('Metadata-Version: 2.1\nName: arm-control\nVersion: 1.0\n')
        lines = entry_points.encode() if isinstance(entry_points, str) else entry_points
        (info / 'entry_points.txt').write_bytes(f'[mujoco_ros_py.{group}]\n'.encode() + lines)

    return make


def described(module: str, qualname: str = 'Control') -> PluginDescription:
    return PluginDescription('arm/Control', module, qualname, '', 'plugins.xml:3')


def load_error(module: str, qualname: str = 'Control') -> PluginError:
    with pytest.raises(PluginError) as caught:
        load_class(described(module, qualname))
    return caught.value


def test_the_built_in_types_lie_in_the_package_itself(monkeypatch):
    monkeypatch.undo()
    package = Path(plugin_types.__file__).parents[2]
    assert package / 'builtin' / 'plugins.xml' == plugin_types._BUILTIN


def test_a_built_in_type_is_found_without_any_installation(monkeypatch):
    monkeypatch.delenv('AMENT_PREFIX_PATH')
    assert find_type('mujoco_ros_py/Hold').module == 'mujoco_ros_py.builtin.hold'


def test_a_type_is_found_through_the_ament_index(workspace):
    file = install(workspace, 'arm', library('arm/Control'))
    found = find_type('arm/Control')
    assert (found.module, found.qualname) == ('arm_plugins', 'Control')
    assert found.source == f'{file}:1'


def test_an_index_entry_may_list_several_files(workspace):
    install(workspace, 'arm', library('arm/A'), 'share/arm/plugins.xml\n\nshare/arm/more.xml\n')
    (workspace / 'share/arm/more.xml').write_text(library('arm/B'))
    assert list(known_types()) == ['mujoco_ros_py/Hold', 'arm/A', 'arm/B']


@pytest.mark.parametrize('path', ['', None])
def test_a_wheel_in_the_environment_is_found_without_the_variable(tmp_path, monkeypatch, path):
    if path is None:
        monkeypatch.delenv('AMENT_PREFIX_PATH')
    else:
        monkeypatch.setenv('AMENT_PREFIX_PATH', path)
    install(tmp_path / 'environment', 'arm', library('arm/Control'))
    assert find_type('arm/Control').module == 'arm_plugins'


def test_engine_plugins_are_found_in_the_same_places_and_kept_apart(workspace, distribution):
    install(workspace, 'arm', library('arm/Motor', base='EnginePlugin'))
    distribution('arm/Spring = arm_plugins:Spring\n', 'engine_plugins')
    assert list(known_types(Base.ENGINE)) == ['arm/Motor', 'arm/Spring']
    assert find_type('arm/Spring', Base.ENGINE).qualname == 'Spring'
    assert list(known_types()) == ['mujoco_ros_py/Hold']
    with pytest.raises(PluginError) as caught:
        find_type('arm/Moter', Base.ENGINE)
    assert str(caught.value) == (
        "unknown engine plugin type 'arm/Moter' (did you mean 'arm/Motor'?);"
        ' known: arm/Motor, arm/Spring; if the type is new,'
        ' install its package again (pip install --editable .)'
    )


def test_an_overlay_hides_the_same_package_below_it(tmp_path, workspace, caplog):
    install(workspace, 'arm', library('arm/Control', module='new'))
    install(tmp_path / 'environment', 'arm', library('arm/Control', 'arm/Gone', module='old'))
    assert find_type('arm/Control').module == 'new'
    assert 'arm/Gone' not in known_types()
    assert not caplog.records


def test_a_type_is_found_through_an_entry_point(distribution):
    distribution('arm/Control = arm_plugins.control:Control.Inner [extra]\n')
    found = find_type('arm/Control')
    assert (found.module, found.qualname) == ('arm_plugins.control', 'Control.Inner')


def test_entry_points_are_not_read_for_a_type_that_a_file_describes(monkeypatch):
    def never(**_):
        raise AssertionError('read')

    monkeypatch.setattr(plugin_types, 'entry_points', never)
    assert find_type('mujoco_ros_py/Hold')


def test_nothing_is_imported_to_find_a_type(workspace, site):
    (site / 'arm_plugins.py').write_text('raise RuntimeError("imported")')
    install(workspace, 'arm', library('arm/Control'))
    find_type('arm/Control')
    assert 'arm_plugins' not in sys.modules


def test_an_unknown_type_is_refused_with_the_nearest_and_all_known_ones(workspace, distribution):
    install(workspace, 'arm', library('arm/Control'))
    distribution('imu/Imu = imu:Imu\n')
    with pytest.raises(PluginError) as caught:
        find_type('arm/Contrl')
    known = [name for name in known_types() if name.startswith(('arm/', 'imu/', 'mujoco_ros_py/'))]
    assert known == ['mujoco_ros_py/Hold', 'arm/Control', 'imu/Imu']
    assert str(caught.value).startswith(
        "unknown plugin type 'arm/Contrl' (did you mean 'arm/Control'?); known: arm/Control, "
    )
    assert 'imu/Imu' in str(caught.value)
    assert str(caught.value).endswith(
        '; if the type is new, install its package again (pip install --editable .)'
    )


def test_the_first_of_two_descriptions_counts_and_the_other_is_reported(workspace, caplog):
    first = install(workspace, 'arm', library('arm/Control', module='first'))
    second = install(workspace, 'brm', library('arm/Control', module='second'))
    assert find_type('arm/Control').module == 'first'
    assert caplog.messages == [
        f"{second}:1: plugin type 'arm/Control' is ignored: {first}:1 already defines it"
    ]


def test_the_same_description_twice_is_no_conflict(workspace, distribution, caplog):
    install(workspace, 'arm', library('arm/Control'))
    distribution('arm/Control = arm_plugins:Control\n')
    known_types()
    assert not caplog.records


@pytest.mark.parametrize('xml', ['<broken', '', '<library path="a"><class/></library>'])
def test_a_bad_description_file_is_reported_once_and_the_others_go_on(workspace, caplog, xml):
    bad = install(workspace, 'a_bad', xml)
    install(workspace, 'arm', library('arm/Control'))
    for _ in range(3):
        assert find_type('arm/Control')
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage().startswith(str(bad))


def test_an_index_entry_that_names_no_file_is_reported(workspace, caplog):
    install(workspace, 'arm', library('arm/Control'), 'share/arm/elsewhere.xml')
    assert 'arm/Control' not in known_types()
    assert caplog.messages == [f'{workspace}/share/arm/elsewhere.xml: no such file']


def test_a_binary_index_entry_is_reported_and_the_others_go_on(workspace, caplog):
    install(workspace, 'arm', library('arm/Control'))
    (workspace / INDEX / 'a_bad').write_bytes(b'\xff\xfe')
    assert find_type('arm/Control')
    assert caplog.messages[0].startswith(f'{workspace / INDEX}/a_bad: cannot be read: ')


def test_hidden_files_and_folders_in_the_index_are_no_packages(workspace, caplog):
    install(workspace, 'arm', library('arm/Control'))
    (workspace / INDEX / '.arm.swp').write_bytes(b'\xff')
    (workspace / INDEX / 'folder').mkdir()
    assert find_type('arm/Control')
    assert not caplog.records


@pytest.mark.parametrize('line', ['arm/Control = arm_plugins', 'Control = arm_plugins:Control'])
def test_a_bad_entry_point_is_reported_and_the_others_go_on(distribution, caplog, line):
    distribution(f'{line}\nimu/Imu = imu:Imu\n')
    assert 'imu/Imu' in known_types()
    (message,) = caplog.messages
    assert message.startswith(f"entry point '{line}': ")


def test_entry_points_that_are_no_text_are_reported(distribution, workspace, caplog):
    distribution(b'\xff\xfe\n')
    install(workspace, 'arm', library('arm/Control'))
    assert 'arm/Control' in known_types()
    assert caplog.messages[0].startswith('entry points cannot be read: ')


def test_a_class_is_loaded_from_its_module(site, monkeypatch):
    monkeypatch.delitem(sys.modules, 'loaded_plugins', raising=False)
    (site / 'loaded_plugins.py').write_text('class Control:\n    class Inner:\n        x = 5\n')
    assert load_class(described('loaded_plugins')).__name__ == 'Control'
    assert load_class(described('loaded_plugins', 'Control.Inner')).x == 5


def test_a_module_that_does_not_exist_is_refused_with_the_cause():
    error = load_error('no_such_module_at_all')
    assert str(error) == (
        "plugin type 'arm/Control' (plugins.xml:3): cannot import no_such_module_at_all:"
        " ModuleNotFoundError: No module named 'no_such_module_at_all'"
    )
    assert isinstance(error.__cause__, ModuleNotFoundError)


@pytest.mark.parametrize(
    ('source', 'cause'),
    [
        ('import no_such_module_at_all', ModuleNotFoundError),
        ('class Control(:', SyntaxError),
        ('1 / 0', ZeroDivisionError),
        ('raise SystemExit(3)', SystemExit),
    ],
)
def test_a_module_that_fails_to_import_is_refused_with_the_cause(site, source, cause):
    name = f'fails_with_{cause.__name__}'
    (site / f'{name}.py').write_text(source)
    error = load_error(name)
    assert f'cannot import {name}: {cause.__name__}: ' in str(error)
    assert isinstance(error.__cause__, cause)


def test_a_module_that_imports_messages_that_are_not_installed_is_refused_in_a_sentence(site):
    (site / 'sends_messages.py').write_text('from leg_msgs.msg import Stride')
    error = load_error('sends_messages')
    assert str(error) == (
        "plugin type 'arm/Control' (plugins.xml:3): leg_msgs is not installed: the plugin imports "
        'it; see `ros_type`. Install the ROS package leg-msgs'
    )
    assert error.__cause__ is None


def test_a_class_that_does_not_exist_is_refused_with_those_that_do(site):
    (site / 'without_control.py').write_text('class Controller:\n    pass\n\nlimit = 3\n')
    assert str(load_error('without_control')) == (
        "plugin type 'arm/Control' (plugins.xml:3): without_control has unknown class 'Control'"
        " (did you mean 'Controller'?); known: Controller"
    )


def test_what_is_no_class_is_refused(site):
    (site / 'function_control.py').write_text('def Control():\n    pass\n')
    assert str(load_error('function_control')) == (
        "plugin type 'arm/Control' (plugins.xml:3): function_control.Control must be a class,"
        ' got function'
    )


def test_a_module_is_imported_once_and_not_again(site):
    path = site / 'imported_once.py'
    path.write_text('class Control:\n    version = 1\n')
    first = load_class(described('imported_once'))
    path.write_text('class Control:\n    version = 20\n')
    assert load_class(described('imported_once')) is first


def test_a_module_corrected_after_a_failed_import_is_loaded(site):
    path = site / 'corrected.py'
    path.write_text('class Control(:')
    load_error('corrected')
    path.write_text('class Control:\n    version = 2\n')
    assert load_class(described('corrected')).version == 2


def test_known_types_are_those_of_the_moment_when_they_were_first_asked_for(workspace):
    file = install(workspace, 'arm', library('arm/Control'))
    known = KnownTypes()
    assert known.find('arm/Control')
    with pytest.raises(PluginError):
        known.find('imu/Filter')

    file.unlink()
    install(workspace, 'imu', library('imu/Filter'))

    assert known.find('arm/Control')
    with pytest.raises(PluginError):
        known.find('imu/Filter')
    assert KnownTypes().find('imu/Filter')


def test_many_plugins_of_unknown_types_search_the_machine_once(monkeypatch, parts):
    searches = []

    def spy(**group):
        searches.append(group)
        return entry_points(**group)

    monkeypatch.setattr(plugin_types, 'entry_points', spy)
    names = [f'plugin_{number}' for number in range(50)]
    configs = [PluginConfig(name=name, type='arm/Contrl', config={}) for name in names]
    host = PluginHost(configs, parts)

    host.instantiate()

    assert {hosted.state for hosted in host.plugins} == {PluginState.REFUSED}
    assert len(searches) == 1


def test_the_first_description_of_a_type_declares_how_it_loads(workspace):
    install(workspace, 'arm', library('arm/Control', 'mujoco_ros_py/Hold'))
    described = {each.name: each.module for each in described_types()}
    assert described == {
        'mujoco_ros_py/Hold': 'mujoco_ros_py.builtin.hold',
        'arm/Control': 'arm_plugins',
    }
