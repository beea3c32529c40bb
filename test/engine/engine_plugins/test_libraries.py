"""Libraries of engine plugins, compiled here from a few lines of C."""

from __future__ import annotations

import ctypes
import itertools
import shutil
import subprocess
import sys
from pathlib import Path

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine.engine_plugins import load_directory, load_library, probe, register
from mujoco_ros_py.engine.libmujoco import library
from mujoco_ros_py.errors import PluginError

from .models import WarmMotor

pytestmark = pytest.mark.slow

_numbers = itertools.count()


@pytest.fixture
def name() -> str:
    """Returns a plugin name that no other test uses, because loaded libraries stay loaded."""
    return f'test.library{next(_numbers)}'


def refusal(load, path: Path) -> str:
    """Returns the error message, without the folder."""
    with pytest.raises(PluginError) as caught:
        load(path)
    return str(caught.value).replace(f'{path.resolve().parent}/', '')


def passive_force(plugin: str) -> float:
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><extension><plugin plugin="{plugin}"/></extension><option gravity="0 0 0"/>'
        f'<worldbody><body><plugin plugin="{plugin}"/><joint/><geom size="0.1"/></body>'
        '</worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return float(data.qfrc_passive[0])


def test_a_loaded_library_s_plugins_work_in_models(plugin_library, name):
    file = plugin_library('a.so', f'add("{name}"); add("{name}.b");', force=2.5)
    assert load_library(file) == (name, f'{name}.b')
    assert passive_force(name) == passive_force(f'{name}.b') == 2.5


def test_a_library_that_is_not_linked_with_libmujoco_loads_too_and_may_talk_meanwhile(
    plugin_library, name
):
    load = f'printf("licence ok"); fflush(stdout); add("{name}");'
    file = plugin_library('unlinked.so', load, options=())
    assert load_library(str(file)) == (name,)
    assert passive_force(name) == 1.0


def test_loading_twice_also_through_a_link_changes_nothing_and_a_copy_is_refused(
    plugin_library, name, tmp_path, caplog
):
    file = plugin_library('twice.so', f'add("{name}");')
    (tmp_path / 'link.so').symlink_to(file)
    assert load_library(file) == (name,)
    count = library().mjp_pluginCount()
    assert load_library(file) == load_library(tmp_path / 'link.so') == (name,)
    copy = Path(shutil.copy(file, file.with_name('copy.so')))
    assert refusal(load_library, copy) == (
        f'copy.so: engine plugin {name!r} is taken by a library, twice.so'
    )
    assert library().mjp_pluginCount() == count
    assert not caplog.records


def test_what_others_loaded_is_left_as_it_is(plugin_library, name):
    file = plugin_library('others.so', f'add("{name}");')
    ctypes.CDLL(str(file))
    assert load_library(file) == (name,)


def test_the_plugins_of_the_wheel_are_there_and_may_be_named():
    names = load_directory(mujoco.PLUGINS_DIR)
    assert {'mujoco.pid', 'mujoco.sensor.touch_grid', 'mujoco.sdf.torus'} <= set(names)
    assert load_directory(mujoco.PLUGINS_DIR) == names


def test_a_file_that_changed_since_needs_a_restart_and_says_so(plugin_library, name, caplog):
    file = plugin_library('edited.so', f'add("{name}");', force=1.0)
    load_library(file)
    file.unlink()
    plugin_library('edited.so', f'add("{name}");', force=2.0)
    assert load_library(file) == (name,)
    assert caplog.messages == [
        f'{file} has changed since it was loaded: restart to load the change'
    ]
    assert passive_force(name) == 1.0


def test_a_plugin_of_the_wheel_keeps_its_name_whatever_the_case(plugin_library):
    taken_by = f'is taken by a library, {mujoco.PLUGINS_DIR}/libactuator.so'
    for number, name in enumerate(('mujoco.pid', 'MuJoCo.PID')):
        file = plugin_library(f'pid{number}.so', f'add("{name}");')
        assert refusal(load_library, file) == f'pid{number}.so: engine plugin {name!r} {taken_by}'


def test_a_name_that_a_class_or_a_library_has_is_refused_to_the_other(plugin_library, name):
    register(WarmMotor)
    file = plugin_library('warm.so', f'add("{WarmMotor.name}");')
    taken_by = f'{WarmMotor.__module__}.WarmMotor'
    assert refusal(load_library, file).endswith(
        f"warm.so: engine plugin 'test.warm_motor' is taken by class {taken_by}"
    )
    load_library(plugin_library('taker.so', f'add("{name}");'))
    late = type('Late', (WarmMotor,), {'name': name.upper()})
    with pytest.raises(PluginError, match=rf"{name.upper()}' is taken by a library, .*/taker\.so"):
        register(late)


def test_a_prefix_of_resources_that_is_taken_is_refused(plugin_library, name, tmp_path):
    prefix = name.replace('.', '')
    load = 'add("{}"); provide("{}");'
    first = plugin_library('all/first.so', load.format(name, prefix))
    other = plugin_library('all/other.so', load.format(f'{name}.b', prefix), force=2.0)
    refused = f'other.so: resource provider {prefix!r} is taken by '
    with pytest.raises(PluginError, match=rf'{refused}a library, .*/first\.so$'):
        load_directory(tmp_path / 'all')
    load_library(first)
    assert refusal(load_library, other) == f'{refused}another provider'


@pytest.mark.parametrize(
    ('load', 'message'),
    [
        ('', f'registers no plugin with MuJoCo {mujoco.__version__}'),
        (
            'add("test.twice"); add("Test.Twice");',
            "ends the process that loads it: ERROR: plugin 'Test.Twice' is already registered",
        ),
        ('*(int*)0 = 1;', 'ends the process that loads it: Segmentation fault'),
        ('exit(3);', 'ends the process that loads it: exit code 3'),
        ('puts("bye"); exit(0);', 'ends the process that loads it: bye'),
        ('mju_error("no licence");', 'ends the process that loads it: ERROR: no licence'),
        ('absent();', 'cannot be loaded: undefined symbol: absent'),
    ],
    ids=['nothing', 'twice', 'crashes', 'exits', 'ends', 'error', 'symbol'],
)
def test_a_library_that_would_do_harm_is_refused_with_the_reason(plugin_library, load, message):
    file = plugin_library('bad.so', load)
    assert refusal(load_library, file) == f'bad.so: {message}'


@pytest.mark.parametrize(
    ('content', 'message'),
    [
        (None, 'bad.so: no such file'),
        (b'', 'bad.so: cannot be loaded: file too short'),
        (b'no library at all\n' * 100, 'bad.so: cannot be loaded: invalid ELF header'),
    ],
    ids=['missing', 'empty', 'text'],
)
def test_a_file_that_is_no_library_is_refused(tmp_path, content, message):
    if content is not None:
        (tmp_path / 'bad.so').write_bytes(content)
    assert refusal(load_library, tmp_path / 'bad.so') == message


def test_a_folder_and_a_program_are_no_libraries(tmp_path):
    assert refusal(load_library, tmp_path).endswith(': is not a file')
    assert ': cannot be loaded: ' in refusal(load_library, Path(sys.executable).resolve())


@pytest.mark.parametrize('found', [True, False], ids=['found', 'missing'])
def test_a_library_for_another_version_is_refused_with_both(plugin_library, found):
    """Also if the other libmujoco is found: two of them in one process crash it, or worse."""
    soname = '-Wl,-soname,libmujoco.so.2.0.0'
    other = plugin_library('libmujoco.so.2.0.0', '', options=(soname,))
    linked = ('-Wl,--no-as-needed', str(other))
    rpath = (f'-Wl,-rpath,{other.parent}',) if found else ()
    file = plugin_library('older.so', 'add("test.older");', options=(*linked, *rpath))
    if not found:
        other.unlink()
    assert refusal(load_library, file) == (
        f'older.so: was built for libmujoco.so.2.0.0, and this is MuJoCo {mujoco.__version__}'
    )


def test_a_library_that_does_not_finish_loading_is_given_up(plugin_library, monkeypatch):
    monkeypatch.setattr(probe, '_PATIENCE_S', 1.0)
    file = plugin_library('slow.so', 'sleep(100);')
    assert refusal(load_library, file) == 'slow.so: was not loaded within 1 s'


def test_a_directory_s_libraries_are_loaded_and_nothing_else_in_it(plugin_library, name, tmp_path):
    plugin_library('all/b.so', f'add("{name}.b");')
    plugin_library('all/a.so', f'add("{name}.a");')
    (tmp_path / 'all/readme.txt').write_text('no library')
    (tmp_path / 'all/link.so').symlink_to('a.so')
    assert load_directory(tmp_path / 'all') == (f'{name}.a', f'{name}.b')
    assert passive_force(f'{name}.b') == 1.0


def test_a_directory_is_loaded_as_a_whole_or_not_at_all(plugin_library, name, tmp_path):
    plugin_library('all/a.so', f'add("{name}");')
    plugin_library('all/b.so', f'add("{name}");')
    plugin_library('all/c.so', 'add("mujoco.pid");')
    (tmp_path / 'all/d.so').write_text('text')
    with pytest.raises(PluginError) as caught:
        load_directory(tmp_path / 'all')
    faults = str(caught.value).replace(f'{tmp_path}/all/', '').split('; ')
    assert faults == [
        'd.so: cannot be loaded: file too short',
        f'b.so: engine plugin {name!r} is taken by a library, a.so',
        "c.so: engine plugin 'mujoco.pid' is taken by a library,"
        f' {mujoco.PLUGINS_DIR}/libactuator.so',
    ]
    for file in 'bcd':
        (tmp_path / f'all/{file}.so').unlink()
    assert load_directory(tmp_path / 'all') == (name,)


def test_a_directory_without_libraries_and_one_that_is_not_there_are_refused(tmp_path):
    (tmp_path / 'file').touch()
    assert refusal(load_directory, tmp_path).endswith(': contains no shared library (*.so)')
    assert refusal(load_directory, tmp_path / 'none') == 'none: no such directory'
    assert refusal(load_directory, tmp_path / 'file') == 'file: is not a directory'


AGAIN = """
import sys
from mujoco_ros_py.engine.engine_plugins import Attribute, Capability, EnginePlugin, register
from mujoco_ros_py.errors import PluginError

def plugin(version):
    class Edited(EnginePlugin):
        name = 'test.edited'
        capabilities = Capability.ACTUATOR if version % 2 else Capability.PASSIVE
        locals().update({f'a{n}': Attribute(0.0) for n in range(version)})
    kind = 'compute_actuator' if version % 2 else 'compute_passive'
    setattr(Edited, kind, staticmethod(lambda p, model, data: None))
    return Edited

for version in range(4):
    edited = plugin(version)
    register(edited)
    register(edited)
refused = [
    type('Long', (plugin(0),), {'name': 1100 * 'x'}),
    type('Empty', (plugin(0),), {'name': ''}),
    type('Unprintable', (plugin(0),), {'name': 'test.edited\\0'}),
    type('Upper', (plugin(0),), {'name': 'TEST.EDITED'}),
    type('Library', (plugin(0),), {'name': 'mujoco.pid'}),
    plugin(256),
    type('LongAttribute', (plugin(0),), {'x' * 1100: Attribute(0.0)}),
]
for each in refused:
    try:
        register(each)
    except PluginError as error:
        print(error)
"""


def test_registering_again_and_what_mujoco_refuses_never_end_the_process():
    done = subprocess.run(
        [sys.executable, '-c', AGAIN], capture_output=True, text=True, timeout=DEADLINE_S
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    for line, end in zip(
        said,
        [
            'must be printable and have at most 1023 bytes',
            'Empty needs a name',
            'must be printable and have at most 1023 bytes',
            "is taken by class __main__.plugin.<locals>.Edited as 'test.edited'",
            f"'mujoco.pid' is taken by a library, {mujoco.PLUGINS_DIR}/libactuator.so",
            'must have at most 255 attributes, got 256',
            'must be printable and have at most 1023 bytes',
        ],
        strict=True,
    ):
        assert line.endswith(end)
