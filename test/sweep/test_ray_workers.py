"""The connection to Ray."""

from __future__ import annotations

import pytest

from mujoco_ros_py.errors import SweepError
from mujoco_ros_py.sweep.ray_workers import ray_workers

ray = pytest.importorskip('ray', reason='the extra `sweep` is not installed')
pytestmark = pytest.mark.slow
LATE = Exception('The current node timed out during startup.')


@pytest.fixture
def failing(monkeypatch):
    """Has the first starts of a node fail with these errors, and no node start after them."""

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
    refused = pytest.raises(SweepError, match=r'\(10.0.0.1:1\): nobody is there')
    with refused, ray_workers('10.0.0.1:1'):
        pass
    assert left == [LATE]
