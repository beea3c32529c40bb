"""Files in the cache folder are executed, so only the user's own files are used."""

from __future__ import annotations

import logging
import os
import resource
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from mujoco_ros_py.engine import cache
from mujoco_ros_py.engine.cache import NativeCode

CODE = NativeCode('symbol', ('external',), b'machine code')
OTHER = NativeCode('other', (), b'other code')


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
        f'compiled code in {file.parent} is not used: other users have write permission for'
        f' {file.parent}'
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
    assert message.endswith(f'other users have write permission for {file.name}')
    cache.write('a', OTHER)
    assert cache.read('a') == OTHER


@pytest.mark.skipif(os.geteuid() != 0, reason='only root gives files to other users')
@pytest.mark.parametrize('what', ['folder', 'file'])
def test_what_belongs_to_another_user_is_not_used(file, caplog, what):
    os.chown(file.parent if what == 'folder' else file, 12345, -1)
    assert cache.read('a') is None
    (message,) = refused(caplog)
    assert message.endswith('belongs to user id 12345')


def test_the_user_is_the_one_whose_rights_the_process_has(file, caplog, monkeypatch):
    monkeypatch.setattr(os, 'geteuid', lambda: os.getuid() + 1)
    assert cache.read('a') is None
    assert 'belongs to user id' in refused(caplog)[0]


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


def test_a_full_disk_leaves_nothing_behind_and_is_said_once(folder, caplog):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        for digest in 'ab':
            cache.write(digest, NativeCode('symbol', (), bytes(100_000)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(folder.iterdir()) == []
    (message,) = refused(caplog)
    assert message.startswith(f'compiled code is not kept in {folder}: ')


def test_without_a_folder_nothing_is_kept_and_that_is_said_once(monkeypatch, folder, caplog):
    monkeypatch.setattr(cache, 'folder', lambda: Path('/dev/null/nowhere'))
    for digest in 'ab':
        cache.write(digest, CODE)
        assert cache.read(digest) is None
    (message,) = refused(caplog)
    assert message.startswith('compiled code is not kept in /dev/null/nowhere: ')


def test_an_interrupted_writer_leaves_nothing_behind(folder, file, monkeypatch):
    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, 'replace', interrupt)
    with pytest.raises(KeyboardInterrupt):
        cache.write('b', CODE)
    assert list(folder.iterdir()) == [file]


COMPILING = """
import sys
from pathlib import Path
from mujoco_ros_py.engine import cache

cache.folder = lambda: Path(sys.argv[1])
with cache.alone('a' * 64) as waited:
    print(waited, flush=True)
    sys.stdin.read()
"""


def entered(digest: str) -> bool:
    with cache.alone(digest) as waited:
        return waited


@pytest.mark.parametrize('end', [lambda other: other.stdin.close(), subprocess.Popen.kill])
def test_one_process_compiles_what_others_need_too_until_it_ends(folder, end):
    command = [sys.executable, '-c', COMPILING, str(folder)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == 'False\n'
        assert not entered('b' * 64), 'nobody compiles that'
        results: list[bool] = []
        waiting = threading.Thread(target=lambda: results.append(entered('a' * 64)))
        waiting.start()
        waiting.join(0.1)
        assert waiting.is_alive()
        end(other)
        waiting.join()
    assert results == [True]
    assert not entered('a' * 64)


def test_threads_of_a_process_do_not_wait_for_each_other_nor_one_in_a_folder_of_others(folder):
    with cache.alone('a' * 64) as waited:
        assert not waited
        assert not entered('a' * 64)
        assert not entered('b' * 64)
    folder.chmod(0o702)
    assert entered('a' * 64)
