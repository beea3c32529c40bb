"""States are kept by name, within limits on their number and size."""

from __future__ import annotations

import numpy as np
import pytest

from mujoco_ros_py.errors import SimulationError
from mujoco_ros_py.ros.states.kept_states import KeptStates, size_of
from mujoco_ros_py.simulation import SavedState

BLOCK = 1000
"""The size in bytes of the numbers of a state."""


def state(time: float = 0.0, **plugins) -> SavedState:
    numbers = np.full(BLOCK // 8, time)
    return SavedState(time=time, integration=numbers, model={}, plugins=plugins)


def test_a_state_is_found_by_its_name_until_it_is_deleted():
    kept = KeptStates()
    first, second = state(1.0), state(2.0)
    kept.keep('a', first, replace=False)
    kept.keep('b', second, replace=False)
    assert (kept.find('a'), kept.find('b')) == (first, second)
    kept.delete('a')
    assert list(kept.all()) == ['b']
    for call in (kept.find, kept.delete):
        with pytest.raises(SimulationError, match=r"unknown state 'a'.*; known: b"):
            call('a')


def test_a_name_that_is_taken_is_replaced_on_demand_only():
    kept = KeptStates()
    first, second = state(1.0), state(2.0)
    kept.keep('a', first, replace=False)
    for call in (kept.check, lambda name, replace: kept.keep(name, second, replace=replace)):
        with pytest.raises(SimulationError, match="the state 'a' exists"):
            call('a', replace=False)
    assert kept.find('a') is first
    kept.keep('a', second, replace=True)
    assert kept.find('a') is second


def test_there_are_only_so_many_states():
    kept = KeptStates(most_states=2)
    kept.keep('a', state(), replace=False)
    kept.keep('b', state(), replace=False)
    with pytest.raises(SimulationError, match='at most 2 states are kept; delete one of a, b'):
        kept.check('c', replace=False)
    kept.keep('b', state(), replace=True)


def test_all_states_together_are_only_so_large():
    kept = KeptStates(most_bytes=4 * BLOCK)
    kept.keep('a', state(), replace=False)
    large = state(seen=np.zeros(2 * BLOCK, np.uint8))
    with pytest.raises(SimulationError, match=r'can take up .* MiB together, and would take'):
        kept.keep('b', large, replace=False)
    assert list(kept.all()) == ['a']
    kept.delete('a')
    kept.keep('b', large, replace=False)


def test_the_size_of_a_state_counts_what_plugins_keep_once():
    class Part:
        def __init__(self) -> None:
            self.seen, self.me = [np.zeros(BLOCK)], self

    alone = size_of(state())
    assert BLOCK <= alone < 2 * BLOCK
    assert 8 * BLOCK <= size_of(state(arm=Part())) - alone < 9 * BLOCK
