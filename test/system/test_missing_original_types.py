"""A server in whose Python mujoco_ros_msgs cannot be imported, or has too few types."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .harness import PENDULUM, wait_until

pytestmark = pytest.mark.slow


WITHOUT_CAMERAS = """
from mujoco_ros_msgs import srv
del srv.GetCameraOptions, srv.SetCameraOptions
"""


def test_with_the_types_of_the_ros_2_port_only_those_of_cameras_are_missing(start, tmp_path):
    pytest.importorskip('mujoco_ros_msgs.srv', reason='mujoco_ros_msgs was not built')
    path = _first_on_the_path(tmp_path, WITHOUT_CAMERAS)
    process, client = start({'mujoco_xml': PENDULUM}, PYTHONPATH=path)
    assert client.trigger('reset').success
    assert 'Traceback' not in process.output
    wait_until(lambda: _named(client, 'gravity'), 'services')
    assert not _named(client, 'camera_options')


def _first_on_the_path(folder: Path, code: str) -> str:
    """A PYTHONPATH by which Python runs this code before all else."""
    (folder / 'sitecustomize.py').write_text(code)
    return os.pathsep.join([str(folder), *filter(None, [os.environ.get('PYTHONPATH')])])


def _named(client, part: str) -> list[str]:
    return [name for name, _ in client.node.get_service_names_and_types() if part in name]


@pytest.mark.parametrize('hidden', ['mujoco_ros_msgs', 'mujoco_ros_msgs.srv'])
def test_without_its_types_there_are_no_services_of_the_original_server_and_all_else_works(
    start, tmp_path, hidden
):
    path = _first_on_the_path(tmp_path, f'import sys\nsys.modules[{hidden!r}] = None\n')
    process, client = start({'mujoco_xml': PENDULUM}, PYTHONPATH=path)
    assert client.trigger('reset').success
    assert process.output.count("there are no services of the original server's types") == 1
    assert 'interfaces/install.py' in process.output
    assert 'Traceback' not in process.output
    names = [name for name, _ in client.node.get_service_names_and_types()]
    assert not [name for name in names if 'gravity' in name or '/step/_action/' in name]
