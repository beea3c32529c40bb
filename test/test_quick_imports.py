"""Imports skip work that a start does not need."""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
import sys

import pytest

from mujoco_ros_py.quick_imports import quick_imports

GLFW = 'PYGLFW_LIBRARY'
VERSION = """
import subprocess
from mujoco_ros_py.quick_imports import quick_imports
started = []
begin = subprocess.Popen.__init__
subprocess.Popen.__init__ = lambda *given, **more: started.append(1) or begin(*given, **more)
with quick_imports():
    import glfw
print(glfw.get_version()[0], bool(started))
"""


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (GLFW, 'XDG_SESSION_TYPE'):
        monkeypatch.delenv(name, raising=False)


def fail() -> None:
    with quick_imports():
        assert not gc.isenabled()
        raise ImportError


def test_the_collector_rests_meanwhile_and_goes_on_also_after_an_error():
    with pytest.raises(ImportError):
        fail()
    assert gc.isenabled()


def test_a_collector_that_is_off_stays_off():
    gc.disable()
    try:
        with quick_imports():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_pyglfw_is_told_its_own_library_for_these_imports_alone():
    with quick_imports():
        library = os.environ[GLFW]
    assert ctypes.CDLL(library).glfwGetVersion
    assert GLFW not in os.environ


def test_pyglfw_loads_that_library_and_starts_no_other_python():
    first, *others = subprocess.run(
        [sys.executable, '-c', VERSION], capture_output=True, text=True, check=True
    ).stdout.split()
    assert (int(first), others) == (3, ['False'])


@pytest.mark.parametrize('own', [{GLFW: '/mine.so'}, {'XDG_SESSION_TYPE': 'wayland'}])
def test_what_the_user_or_the_session_needs_is_kept(own, monkeypatch):
    for name, value in own.items():
        monkeypatch.setenv(name, value)
    with quick_imports():
        assert os.environ.get(GLFW) == own.get(GLFW)
    assert os.environ.get(GLFW) == own.get(GLFW)


def test_a_session_does_not_import_mjcf_before_an_entity_is_spawned():
    look = 'import sys, mujoco_ros_py.session; print("mujoco_ros_py.mjcf" in sys.modules)'
    done = subprocess.run([sys.executable, '-c', look], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == 'False'
