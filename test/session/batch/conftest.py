"""Batches that end with the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from mujoco_ros_py.session.batch import Batch

from .robot import Controller, model


@pytest.fixture
def make() -> Iterator[Callable[..., Batch]]:
    """Returns `make(worlds, plugin, **arguments)`, which makes a batch of the test's model."""
    batches: list[Batch] = []

    def start(worlds: int = 4, plugin: Any = Controller, **arguments: Any) -> Batch:
        batch = Batch(model(), [plugin] if plugin else [], worlds=worlds, **arguments)
        batches.append(batch)
        return batch

    yield start
    for batch in batches:
        batch.close()
