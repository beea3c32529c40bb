"""The package's assumptions about the C library and Linux: each test names the lost one."""

from __future__ import annotations

import ctypes
import mmap
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import mujoco
import pytest
from deadline import DEADLINE_S

import mujoco_ros_py
from mujoco_ros_py.processes import child, task_loop
from mujoco_ros_py.session import process_memory
from mujoco_ros_py.simulation.threads import memory_lock
from mujoco_ros_py.viewer.shown_model import write_model

PACKAGE = Path(mujoco_ros_py.__file__).parent
ROOT = Path(__file__).parents[1]
RELIES = re.compile(r'/proc/|\bmallopt\b|\bmalloc_trim\b')
SYSTEM = f'{platform.system()} {platform.release()}'


def run(code: str) -> str:
    return subprocess.check_output([sys.executable, '-c', code], text=True, timeout=DEADLINE_S)


def test_the_list_of_internals_has_every_file_that_relies_on_them():
    page = (ROOT / 'docs/development/internals.md').read_text(encoding='utf-8')
    rows = [line for line in page.splitlines() if RELIES.search(line)]
    listed = {path for row in rows for path in re.findall(r'`(mujoco_ros_py/[\w/]+\.py)`', row)}
    relying = {
        str(path.relative_to(PACKAGE.parent))
        for path in PACKAGE.rglob('*.py')
        if RELIES.search(path.read_text(encoding='utf-8'))
    }
    assert relying == listed


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), 'mallopt'), reason='not every C library has it')
def test_the_allocator_takes_the_settings_and_gives_memory_back():
    settings = [
        (process_memory._TRIM_THRESHOLD, process_memory._KEPT),
        (process_memory._MMAP_THRESHOLD, process_memory._LARGE),
    ]
    code = (
        'import ctypes; libc = ctypes.CDLL(None); '
        f'print([libc.mallopt(*each) for each in {settings}], libc.malloc_trim(0) in (0, 1))'
    )
    assert run(code).strip() == '[1, 1] True', f'the C library of {SYSTEM} has other parameters'


def test_the_status_of_a_process_has_its_memory_and_its_capabilities():
    status = Path('/proc/self/status').read_text()
    for field in 'VmData', 'VmLck', 'CapEff':
        assert re.search(rf'^{field}:\s+\w+', status, re.M), f'{SYSTEM} has lost {field}'
    before = task_loop.memory_in_use()
    with mmap.mmap(-1, 2**26, flags=mmap.MAP_PRIVATE) as taken:  # memory that nobody had freed
        assert task_loop.memory_in_use() - before > len(taken) // 2
    assert memory_lock._status('VmLck') >= 0
    assert memory_lock._status('CapEff', base=16) == int(
        re.search(r'^CapEff:\s+(\w+)', status, re.M)[1], 16
    )


def test_the_descriptors_of_a_process_are_listed():
    kept, closed = os.pipe()
    code = (
        'import os, sys\n'
        f'from {child.__name__} import _close_all_but\n'
        'kept, closed = os.pipe()\n'
        '_close_all_but([kept])\n'
        'os.fstat(kept)\n'
        'try: os.fstat(closed)\n'
        'except OSError: print("closed")\n'
    )
    try:
        assert {str(kept), str(closed)} <= set(os.listdir('/proc/self/fd'))
        assert run(code).strip() == 'closed'
    finally:
        os.close(kept)
        os.close(closed)


def test_a_file_in_memory_has_a_name_by_which_mujoco_opens_it():
    model = mujoco.MjModel.from_xml_string('<mujoco model="kept"/>')
    file = os.memfd_create('model')
    try:
        write_model(model, file)
        again = mujoco.MjModel.from_binary_path(f'/proc/self/fd/{file}')
    finally:
        os.close(file)
    assert again.names == model.names


def test_the_kernel_takes_the_rank_of_a_process_that_it_should_kill_first():
    place = '/proc/self/oom_score_adj'
    code = (
        f'with open({place!r}, "w") as file: file.write("1000")\n'
        f'print(open({place!r}).read().strip())'
    )
    assert run(code).strip() == '1000', f'{SYSTEM} has lost {place}'
