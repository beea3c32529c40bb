"""ROS's generators write the same files with the cache of `repeated_work` as without it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from .processes import PROBE, ROOT, run

pytestmark = pytest.mark.nightly
GENERATE = """
import sys
from pathlib import Path
from rosidl_backend import Package, generators
if sys.argv[1] == 'again':
    generators.parse_once = generators.scan_once = lambda: None
generators.generate(Package.read(Path(sys.argv[2])), Path(sys.argv[3]))
"""


def _generated(how: str, build: Path) -> dict[str, str]:
    """Returns the text of each written file, without the path of the output folder."""
    build.mkdir()
    places = {'PYTHONPATH': str(ROOT / 'interfaces'), 'AMENT_PREFIX_PATH': sys.prefix}
    # Some of ROS's generators write #include lines in arbitrary order.
    done = run(sys.executable, '-c', GENERATE, how, PROBE, build, PYTHONHASHSEED='0', **places)
    assert done.returncode == 0, done.stdout
    return {
        str(path.relative_to(build)): path.read_text().replace(str(build), '')
        for path in build.rglob('*.*')
        if path.is_file()
    }


def test_they_write_the_same_when_they_read_everything_only_once(tmp_path):
    for needed in ('rosidl_adapter', 'tf2_msgs'):
        pytest.importorskip(needed, reason=f'{needed} is not installed')
    once = _generated('once', tmp_path / 'once')
    assert 'rosidl_generator_py/probe_msgs/msg/_probe.py' in once
    assert once == _generated('again', tmp_path / 'again')
