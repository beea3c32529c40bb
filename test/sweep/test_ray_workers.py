"""The connection to Ray."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mujoco_ros_py.errors import SweepError
from mujoco_ros_py.sweep.ray_workers import ray_workers

ray = pytest.importorskip('ray', reason='the extra `sweep` is not installed')
pytestmark = pytest.mark.slow
LATE = Exception('The current node timed out during startup.')


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    """Starts a test without a token of Ray, and restores the environment afterwards."""
    monkeypatch.setenv('HOME', str(tmp_path))
    for name in ('RAY_AUTH_MODE', 'RAY_AUTH_TOKEN', 'RAY_AUTH_TOKEN_PATH'):
        monkeypatch.setenv(name, '')
        monkeypatch.delenv(name)


@pytest.fixture
def failing(monkeypatch):
    """Returns `failing(*errors)`, which replaces the start of a Ray node.

    The first calls raise the errors, and later calls do nothing.
    """

    def begin(*errors: Exception) -> list[Exception]:
        left = list(errors)

        def init(**options: object) -> None:
            if left:
                raise left.pop(0)

        monkeypatch.setattr(ray, 'init', init)
        return left

    return begin


def test_a_node_that_is_late_is_started_again(failing):
    left = failing(LATE, LATE)
    with ray_workers() as workers:
        assert workers.going == {}
    assert left == []


def test_a_node_that_never_starts_is_an_error_that_says_so(failing):
    failing(LATE, LATE, LATE)
    refused = pytest.raises(SweepError, match=r'on this machine\): The current node timed out')
    with refused, ray_workers():
        pass


def test_a_cluster_that_cannot_be_reached_is_asked_once(failing):
    left = failing(ConnectionError('nobody is there'), LATE)
    refused = pytest.raises(SweepError, match=r'\(10.0.0.1:1\): nobody is there; .* a token')
    with refused, ray_workers('10.0.0.1:1'):
        pass
    assert left == [LATE]


def test_a_cluster_gets_the_token_that_is_here(failing, monkeypatch):
    (Path.home() / '.ray').mkdir()
    (Path.home() / '.ray' / 'auth_token').write_text('abcd')
    failing()
    with ray_workers():
        assert 'RAY_AUTH_MODE' not in os.environ, 'on this machine Ray sees to it'
    with ray_workers('10.0.0.1:1'):
        assert os.environ['RAY_AUTH_MODE'] == 'token'
    monkeypatch.setenv('RAY_AUTH_MODE', 'disabled')
    with ray_workers('10.0.0.1:1'):
        assert os.environ['RAY_AUTH_MODE'] == 'disabled', 'who says so has a reason'
