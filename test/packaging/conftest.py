"""The files that are released, in a folder to build in."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / 'mujoco_ros_py.egg-info' / 'SOURCES.txt'


@pytest.fixture(scope='session')
def source(tmp_path_factory) -> Path:
    """A copy of the files that git or the unpacked sdist lists: building leaves things behind."""
    copy = tmp_path_factory.mktemp('source') / 'mujoco_ros_py'
    for name in _listed():
        if (ROOT / name).exists():  # it may be deleted in this checkout
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    return copy


def _listed() -> list[str]:
    if (ROOT / '.git').exists():
        command = ['git', 'ls-files', '--cached', '--others', '--exclude-standard']
        listed = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
        return listed.stdout.splitlines()
    if not SOURCES.exists():
        pytest.skip('this is neither a clone nor an unpacked sdist')
    names = SOURCES.read_text().splitlines()
    return [name for name in names if not name.startswith(SOURCES.parent.name)]
