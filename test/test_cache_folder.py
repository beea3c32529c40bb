from __future__ import annotations

import os
import pwd
import tempfile
from pathlib import Path

import pytest

from mujoco_ros_py.cache_folder import cache_folder


@pytest.fixture(autouse=True)
def without_variables(monkeypatch):
    for name in ('MUJOCO_ROS_PY_CACHE_DIR', 'XDG_CACHE_HOME'):
        monkeypatch.delenv(name, raising=False)


def test_the_cache_is_in_the_home_unless_a_variable_has_another_place(monkeypatch):
    monkeypatch.setenv('HOME', '/home/ada')
    assert cache_folder() == Path('/home/ada/.cache/mujoco_ros_py')
    monkeypatch.setenv('XDG_CACHE_HOME', '/var/cache')
    assert cache_folder() == Path('/var/cache/mujoco_ros_py')
    monkeypatch.setenv('MUJOCO_ROS_PY_CACHE_DIR', '~/robots')
    assert cache_folder() == Path('/home/ada/robots/mujoco_ros_py')


def test_a_user_without_a_home_has_a_folder_among_the_temporary_files(monkeypatch):
    def unknown(uid):
        raise KeyError(f'getpwuid(): uid not found: {uid}')

    monkeypatch.delenv('HOME')
    monkeypatch.setattr(pwd, 'getpwuid', unknown)
    assert cache_folder() == Path(tempfile.gettempdir(), f'mujoco_ros_py-{os.getuid()}')
