"""A server in whose Python simulation_interfaces cannot be imported."""

from __future__ import annotations

import os

import pytest

from .harness import PENDULUM, wait_until

pytestmark = pytest.mark.slow


def test_without_its_types_the_standard_services_are_missing_and_one_line_says_so(start, tmp_path):
    hides = tmp_path / 'hides'
    hides.mkdir()
    (hides / 'sitecustomize.py').write_text(
        "import sys\nsys.modules['simulation_interfaces'] = None\n"
    )
    path = os.pathsep.join(filter(None, [str(hides), os.environ.get('PYTHONPATH')]))
    process, client = start({'mujoco_xml': PENDULUM, 'unpause': False}, PYTHONPATH=path)
    assert client.trigger('step').success
    assert client.trigger('reload').success
    assert process.output.count('there are no standard services of simulators') == 1

    def names():
        return {name for name, _ in client.node.get_service_names_and_types()}

    wait_until(lambda: '/mujoco_server/step' in names(), 'the services')
    assert '/mujoco_server/get_simulation_state' not in names()
