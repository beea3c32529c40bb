"""What lies in the folder of the cache is run: only what is the user's own is taken."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mujoco_ros_py.engine import cache
from mujoco_ros_py.engine.cache import NativeCode

CODE = NativeCode('symbol', ('external',), b'machine code')
OTHER = NativeCode('other', (), b'other code')
FULL_DISK = """
import logging, resource
from mujoco_ros_py.engine import cache
logging.basicConfig(format='%(message)s')
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
for digest in 'ab':
    cache.write(digest, cache.NativeCode('symbol', (), bytes(100_000)))
"""


@pytest.fixture
def folder(tmp_path, monkeypatch, caplog) -> Path:
    monkeypatch.setattr(cache, 'folder', lambda: tmp_path / 'cache')
    cache._say.cache_clear()
    return tmp_path / 'cache'


@pytest.fixture
def file(folder) -> Path:
    cache.write('a', CODE)
    (path,) = folder.iterdir()
    return path


def refused(caplog) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.levelno == logging.WARNING]


def test_what_is_kept_is_found(file, caplog):
    assert cache.read('a') == CODE
    assert cache.read('b') is None
    cache.write('a', OTHER)
    assert cache.read('a') == OTHER
    assert refused(caplog) == []


def test_folder_and_files_are_for_the_user_alone(file):
    previous = os.umask(0)
    try:
        cache.write('b', CODE)
    finally:
        os.umask(previous)
    assert [path.stat().st_mode & 0o777 for path in file.parent.iterdir()] == [0o600] * 2
    assert file.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize('mode', [0o720, 0o702])
def test_a_folder_that_others_may_write_is_not_used_and_that_is_said_once(file, caplog, mode):
    file.parent.chmod(mode)
    for digest in 'ab':
        assert cache.read(digest) is None
    assert refused(caplog) == [
        f'compiled code in {file.parent} is not used: other users may write {file.parent}'
    ]
    cache.write('b', OTHER)
    assert list(file.parent.iterdir()) == [file]
    assert len(refused(caplog)) == 1


@pytest.mark.parametrize('mode', [0o620, 0o602])
def test_a_file_that_others_may_write_is_not_used_but_replaced(file, caplog, mode):
    file.chmod(mode)
    assert cache.read('a') is None
    assert cache.read('a') is None
    (message,) = refused(caplog)
    assert message.endswith(f'other users may write {file.name}')
    cache.write('a', OTHER)
    assert cache.read('a') == OTHER


@pytest.mark.skipif(os.geteuid() != 0, reason='only root gives files to other users')
@pytest.mark.parametrize('what', ['folder', 'file'])
def test_what_belongs_to_another_user_is_not_used(file, caplog, what):
    os.chown(file.parent if what == 'folder' else file, 12345, -1)
    assert cache.read('a') is None
    (message,) = refused(caplog)
    assert message.endswith('belongs to the user with the id 12345')


def test_the_user_is_the_one_whose_rights_the_process_has(file, caplog, monkeypatch):
    monkeypatch.setattr(os, 'geteuid', lambda: os.getuid() + 1)
    assert cache.read('a') is None
    assert 'belongs to the user' in refused(caplog)[0]


def test_a_folder_may_be_a_link_to_one_of_the_users(file):
    file.parent.rename(file.parent.with_name('elsewhere'))
    file.parent.symlink_to(file.parent.with_name('elsewhere'))
    assert cache.read('a') == CODE
    cache.write('b', OTHER)
    assert cache.read('b') == OTHER


def test_a_link_to_a_folder_that_others_may_write_is_refused(file, caplog):
    file.parent.rename(file.parent.with_name('elsewhere'))
    file.parent.symlink_to(file.parent.with_name('elsewhere'))
    file.parent.chmod(0o777)
    assert cache.read('a') is None
    assert len(refused(caplog)) == 1


def test_a_file_that_is_a_link_is_not_followed(file, caplog):
    file.rename(file.with_name('real'))
    file.symlink_to('real')
    assert cache.read('a') is None
    (message,) = refused(caplog)
    assert message.endswith(f'{file.name} is a symbolic link')
    cache.write('a', OTHER)
    assert not file.is_symlink()
    assert cache.read('a') == OTHER


@pytest.mark.parametrize('make', [Path.mkdir, os.mkfifo])
def test_what_is_no_file_is_not_read(file, make):
    file.unlink()
    make(file)
    assert cache.read('a') is None


def test_a_full_disk_leaves_nothing_behind_and_is_said_once(tmp_path):
    env = {**os.environ, 'MUJOCO_ROS_PY_CACHE_DIR': str(tmp_path)}
    done = subprocess.run(
        [sys.executable, '-c', FULL_DISK], env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / 'mujoco_ros_py').iterdir()) == []
    (line,) = done.stderr.splitlines()
    assert line.startswith(f'compiled code is not kept in {tmp_path / "mujoco_ros_py"}: ')


def test_an_interrupted_writer_leaves_nothing_behind(folder, file, monkeypatch):
    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, 'replace', interrupt)
    with pytest.raises(KeyboardInterrupt):
        cache.write('b', CODE)
    assert list(folder.iterdir()) == [file]
