"""Where providers are mounted: at their prefix, and in virtual file systems."""

from __future__ import annotations

from collections.abc import Iterator

import mujoco
import pytest

from mujoco_ros_py.engine.resources import register

from .assets import OBJ, ROBOT, Files, with_meshes
from .file_system import FileSystem


@pytest.fixture
def file_system() -> Iterator[FileSystem]:
    system = FileSystem()
    yield system
    system.close()


def test_every_open_is_between_a_mount_and_an_unmount():
    class Counting(Files):
        mounted = 0

        def mount(self, path):
            assert path == 'files'
            with self._lock:
                self.mounted += 1

        def unmount(self, path):
            with self._lock:
                self.mounted -= 1

        def open(self, uri):
            assert self.mounted
            return super().open(uri)

    provider = Counting(**{'a.obj': OBJ, 'b.obj': OBJ})
    register(provider)
    assert mujoco.MjModel.from_xml_string(with_meshes('files:a.obj', 'files:b.obj')).nmesh == 2
    assert provider.mounted == 0


def test_a_mount_that_raises_is_an_error_of_the_load():
    class Unmountable(Files):
        def mount(self, path):
            raise OSError('no medium')

    register(Unmountable(**{'a.obj': OBJ}))
    with pytest.raises(ValueError, match='no medium'):
        mujoco.MjModel.from_xml_string(with_meshes('files:a.obj'))


def test_mounted_in_a_virtual_file_system_it_serves_the_paths_below(file_system):
    class Mounting(Files):
        def mount(self, path):
            self.calls.append(('mount', path))

        def unmount(self, path):
            self.calls.append(('unmount', path))

    provider = Mounting()
    provider.files = {f'/shelf/robot/{name}': file for name, file in ROBOT.items()}
    register(provider)
    file_system.mount('/shelf', 'files')
    assert provider.calls == [('mount', '/shelf')], 'once, and not for each file'
    file_system.load('/shelf/robot/main.xml')
    read_of = {path for method, path in provider.calls if method == 'read'}
    assert read_of == set(provider.files)
    assert provider.count('mount') == 1
    assert not provider.held
    file_system.unmount('/shelf')
    assert provider.calls[-1] == ('unmount', '/shelf')
    with pytest.raises(ValueError, match='Error opening file'):
        file_system.load('/shelf/robot/main.xml')


def test_a_mount_in_a_virtual_file_system_that_raises_is_no_error_of_loads_by_prefix(file_system):
    class Unmountable(Files):
        def mount(self, path):
            if path != 'files':
                raise OSError('no medium')

    register(Unmountable(**{'a.obj': OBJ}))
    file_system.mount('/shelf', 'files')
    assert mujoco.MjModel.from_xml_string(with_meshes('files:a.obj')).nmesh == 1
