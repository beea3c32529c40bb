"""The registry of callback tables: entries are found, and removed entries free their slots."""

from __future__ import annotations

import random

import numpy as np
import pytest

from mujoco_ros_py.engine.callback_registry import Registry, first_slot
from mujoco_ros_py.engine.records import NO_DATA, REGISTRY_CAPACITY, REGISTRY_SLOTS
from mujoco_ros_py.errors import SimulationError


def found(registry: Registry, data: int) -> int:
    """Returns the table of an mjData, found as compiled code does; 0 if it has no table."""
    for k in range(REGISTRY_SLOTS):
        key, table = registry.rows[(first_slot(data) + k) % REGISTRY_SLOTS]
        if key == data:
            return int(table)
        if key == NO_DATA:
            break
    return 0


def test_what_is_put_is_found_until_it_is_removed_in_any_order():
    chance, registry, kept = random.Random(1), Registry(), {}
    for step in range(20_000):
        data = chance.randrange(1, 600) * 16 << 20  # few addresses, so that many slots are reused
        if chance.random() < 0.5:
            registry.put(data, step + 1)
            kept[data] = step + 1
        else:
            registry.remove(data)
            kept.pop(data, None)
    assert {data: found(registry, data) for data in kept} == kept
    assert len(registry) == len(kept)
    for data in list(kept):
        registry.remove(data)
        assert found(registry, data) == 0


def test_a_registry_whose_data_have_gone_has_no_marks_that_make_searches_long():
    registry = Registry()
    for data in range(16, 16 * 2000, 16):
        registry.put(data, 1)
    for data in reversed(range(16, 16 * 2000, 16)):
        registry.remove(data)
    assert np.count_nonzero(registry.rows[:, 0]) < 20


def test_a_full_registry_says_how_many_simulations_it_has_room_for():
    registry = Registry()
    registry._slots = dict.fromkeys(range(REGISTRY_CAPACITY), 0)
    with pytest.raises(SimulationError, match='more than 32,768 simulations'):
        registry.put(-16, 1)
