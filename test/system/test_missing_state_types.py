"""A server in whose Python mujoco_ros_py_interfaces cannot be imported, or has too few types."""

from __future__ import annotations

import os

import pytest

from .harness import PENDULUM

pytestmark = pytest.mark.slow


@pytest.mark.parametrize('hidden', ['mujoco_ros_py_interfaces', 'mujoco_ros_py_interfaces.srv'])
def test_without_its_types_there_are_no_services_of_states_and_all_else_works(
    start, tmp_path, hidden
):
    hides = tmp_path / 'hides'
    hides.mkdir()
    (hides / 'sitecustomize.py').write_text(f'import sys\nsys.modules[{hidden!r}] = None\n')
    path = os.pathsep.join([str(hides), *filter(None, [os.environ.get('PYTHONPATH')])])
    process, client = start({'mujoco_xml': PENDULUM}, PYTHONPATH=path)
    assert client.trigger('reset').success
    said = 'there are no services of states, keyframes, values and options. No ROS installation'
    assert process.output.count(said) == 1
    assert 'interfaces/install.py' in process.output
    assert 'Traceback' not in process.output
    names = [name for name, _ in client.node.get_service_names_and_types()]
    assert not [name for name in names if name.endswith(('/save_state', '/set_options'))]
