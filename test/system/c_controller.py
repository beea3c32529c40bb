"""Builds the controller in C against the libraries of ROS in the environment of Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from deadline import DEADLINE_S

PREFIX = Path(sys.prefix)
PYTHON = Path(sysconfig.get_config_var('LIBDIR'))
LIBRARIES = (
    'rcl', 'rcutils', 'rosidl_runtime_c', 'sensor_msgs__rosidl_typesupport_c',
    'sensor_msgs__rosidl_generator_c', 'm',
)  # fmt: skip


def c_controller(folder: Path) -> Path:
    """Returns the program; skips the test where it cannot be built from wheels."""
    compiler, python = shutil.which('gcc'), f'libpython{sysconfig.get_python_version()}.so'
    if compiler is None:
        pytest.skip('gcc is not installed')
    if not (PREFIX / 'include' / 'rcl').is_dir():
        pytest.skip(f'the headers of rcl are not in {PREFIX}')
    if not (PYTHON / python).exists():
        pytest.skip(f'{python}, which libraries of ROS wheels need, is not in {PYTHON}')
    program = folder / 'controller'
    subprocess.run(
        [
            compiler, '-Wall', '-Werror', Path(__file__).with_name('controller.c'), '-o', program,
            *(f'-I{each}' for each in sorted((PREFIX / 'include').iterdir())),
            f'-L{PREFIX / "lib"}', '-Wl,--allow-shlib-undefined', '-Wl,--as-needed',
            *(f'-l{each}' for each in LIBRARIES),
            '-Wl,--no-as-needed', PYTHON / python, f'-Wl,-rpath,{PYTHON}',
        ],
        check=True, timeout=DEADLINE_S,
    )  # fmt: skip
    return program


def library_path() -> str:
    """Returns where the program finds the libraries that it was not linked with."""
    beside = sorted(Path(sysconfig.get_path('platlib')).glob('*.libs'))
    found = (PREFIX / 'lib', *beside, os.environ.get('LD_LIBRARY_PATH', ''))
    return os.pathsep.join(filter(None, map(str, found)))
