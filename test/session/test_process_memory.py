"""The memory of the process, with the allocator tuned for images."""

from __future__ import annotations

import ctypes

import pytest

from mujoco_ros_py.session.process_memory import keep_memory_of_images


@pytest.mark.parametrize('variable', ['MALLOC_TRIM_THRESHOLD_', 'GLIBC_TUNABLES'])
def test_an_allocator_that_the_user_has_tuned_is_left_alone(monkeypatch, variable):
    def load(name: str | None) -> None:
        raise AssertionError('the C library is asked')

    monkeypatch.setattr(ctypes, 'CDLL', load)
    with pytest.raises(AssertionError, match='is asked'):
        keep_memory_of_images()
    monkeypatch.setenv(variable, '1')
    keep_memory_of_images()
