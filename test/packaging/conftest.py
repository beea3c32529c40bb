"""The checkout as it is released: the files that git knows, in a folder to build in."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_LEFT_BEHIND = '__pycache__', '*.egg-info', '.*_cache', 'build', 'dist', 'install', 'log'


@pytest.fixture(scope='session')
def source(tmp_path_factory) -> Path:
    """A copy of the checkout to build in: building leaves things behind."""
    copy = tmp_path_factory.mktemp('source') / 'mujoco_ros_py'
    if not (ROOT / '.git').exists():  # an unpacked sdist
        return shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*_LEFT_BEHIND))
    command = ['git', 'ls-files', '--cached', '--others', '--exclude-standard']
    listed = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    for name in listed.stdout.splitlines():
        if (ROOT / name).exists():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    return copy
