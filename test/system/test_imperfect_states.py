"""Random delays and losses of 10,000 states over DDS, against their distributions.

The server is in lockstep, so one thread publishes all messages, in an order that does not depend
on the speed. `/true` is published before the late messages that arrive in the same step.
"""

from __future__ import annotations

import math
from itertools import groupby
from typing import Any

import numpy as np
import pytest
import yaml
from builtin.imperfections.delays_in_steps import DISTRIBUTIONS, check_delays
from builtin.sensors.noise.chance import check_mean, deviations

from .commanded_wheels import STEP_S, Controller, lockstep_of, states
from .harness import free_domain, running_server

pytestmark = pytest.mark.slow

MESSAGES, PERIOD, LATEST = 10_000, 20, 300
"""The number of messages, the number of steps between two commands, and the largest delay."""
EFFORT = 1.0
RATE, ENTER, LEAVE = 0.1, 0.05, 0.25
JITTER_S = 0.03
EFFECTS: dict[str, dict[str, Any]] = {
    **{name: {'latency': latency} for name, (latency, _) in DISTRIBUTIONS.items()},
    'jitter': {'jitter': JITTER_S},
    'drop': {'drop': RATE},
    'burst': {'drop': {'burst': {'enter': ENTER, 'leave': LEAVE}}},
    'duplicate': {'duplicate': RATE},
    'old': {'stale': RATE},
    'new': {'stale': {'probability': RATE, 'stamp': 'new'}},
}
"""The effects on the states of each topic."""
LATE = (*DISTRIBUTIONS, 'jitter')


class Run:
    """The messages of each topic: when they arrived, their stamps (in steps), their positions."""

    def __init__(self, client: Any) -> None:
        topics = [f'/{name}' for name in ('true', *EFFECTS)]
        controller = Controller(
            client, ['wheel'], topics, lambda _: EFFORT, lambda state: state.position[0], PERIOD
        )
        self._came = controller.came
        controller.run(MESSAGES + 2 * LATEST, self._complete)
        steps = [came for came in sorted(self._came['/true']) if came[1] > 0]
        assert [stamp for _, stamp, _ in steps] == list(range(1, len(steps) + 1))
        self._times = np.array([time for time, _, _ in steps])

    def _complete(self) -> bool:
        """Whether each topic had a message after all those that are looked at."""
        recent = self._came.get('/true', [])[-2 * LATEST :]
        last = next((time for time, stamp, _ in recent if stamp == MESSAGES + LATEST), None)
        return last is not None and all(
            self._came.get(f'/{name}', [(0,)])[-1][0] > last for name in EFFECTS
        )

    def of(self, name: str) -> list[tuple[int, int, float]]:
        """The step of the arrival, the stamp and the position of each message of a topic."""
        ordered = sorted(self._came[f'/{name}'])
        arrivals = np.searchsorted(self._times, [time for time, _, _ in ordered])
        return [
            (int(arrival), stamp, position)
            for arrival, (_, stamp, position) in zip(arrivals, ordered, strict=True)
            if 0 < arrival <= MESSAGES + LATEST and stamp <= MESSAGES
        ]

    def delays(self, name: str) -> Any:
        """The delay of each message of a topic, in steps."""
        found = {stamp: arrival - stamp for arrival, stamp, _ in self.of(name)}
        return np.array([found[stamp] for stamp in range(1, MESSAGES + 1)])


@pytest.fixture(scope='module')
def run(tmp_path_factory):
    """`run(keep_order)`: the states of a run in which late messages keep their order, or not."""
    base = lockstep_of(
        {'wheel': 0},
        [states(name) for name in ('true', *EFFECTS)],
        lockstep_period=PERIOD * STEP_S,
        unpause=False,
    )
    runs: dict[bool, Run] = {}

    def run(keep_order: bool) -> Run:
        if keep_order not in runs:
            timeline = {
                name: {'of': f'/{name}', **each, 'keep_order': keep_order or name not in LATE}
                for name, each in EFFECTS.items()
            }
            bus = {'type': 'mujoco_ros_py/Imperfections', 'name': 'bus', 'seed': 7}
            plugins = [*yaml.safe_load(base['MujocoPlugins']), {**bus, 'timeline': timeline}]
            given = {**base, 'MujocoPlugins': yaml.safe_dump(plugins, sort_keys=False)}
            folder = tmp_path_factory.mktemp('states')
            with free_domain() as domain, running_server(folder, domain, given) as (_, client):
                runs[keep_order] = Run(client)
        return runs[keep_order]

    return run


@pytest.mark.parametrize('name', DISTRIBUTIONS)
def test_random_latencies_have_their_mean_variance_and_independence(run, name):
    check_delays(run(False).delays(name), DISTRIBUTIONS[name][1], STEP_S)


def test_jitter_is_uniform(run):
    delays = run(False).delays('jitter')
    check_delays(delays, lambda x: min(x / JITTER_S, 1.0), STEP_S)
    periods = 1 + np.diff(delays)
    assert np.std(periods) == pytest.approx(JITTER_S / STEP_S / math.sqrt(6), rel=0.03)


@pytest.mark.parametrize('name', LATE)
def test_messages_that_keep_their_order_wait_for_those_before(run, name):
    free, ordered = (run(keep_order).delays(name) for keep_order in (False, True))
    numbers = np.arange(MESSAGES)
    later = np.maximum.accumulate(numbers + free)[LATEST:]
    np.testing.assert_array_equal((numbers + ordered)[LATEST:], later)
    stamps = [stamp for _, stamp, _ in run(True).of(name)]
    assert stamps == sorted(stamps)


def check_events(events: Any, rate: float) -> None:
    """Checks that events have this probability, and do not depend on the events before."""
    check_mean(events, rate, math.sqrt(rate * (1 - rate)))
    for lag in range(1, 11):
        check_mean((events[lag:] - rate) * (events[:-lag] - rate), 0.0, rate * (1 - rate))


def copies(run: Run, name: str) -> Any:
    """How often each message of a topic has arrived."""
    return np.bincount([stamp for _, stamp, _ in run.of(name)], minlength=MESSAGES + 1)[1:]


def test_losses_and_duplicates_have_their_share_and_their_independence(run):
    lost, doubled = copies(run(False), 'drop'), copies(run(False), 'duplicate')
    check_events(lost == 0, RATE)
    check_events(doubled == 2, RATE)
    assert set(lost) == {0, 1}
    assert set(doubled) == {1, 2}
    for name in ('drop', 'duplicate'):
        assert all(arrival == stamp for arrival, stamp, _ in run(False).of(name))


def test_bursts_have_their_share_and_their_length(run):
    lost = copies(run(False), 'burst') == 0
    share, memory = ENTER / (ENTER + LEAVE), 1 - ENTER - LEAVE
    variance = share * (1 - share) * (1 + memory) / (1 - memory)  # of a two-state Markov chain
    assert abs(np.mean(lost) - share) < deviations() * math.sqrt(variance / MESSAGES)
    runs = [(bool(value), len(list(each))) for value, each in groupby(lost)][1:-1]
    for bad, rate in ((True, LEAVE), (False, ENTER)):
        lengths = np.array([length for value, length in runs if value == bad])
        check_mean(lengths, 1 / rate, math.sqrt(1 - rate) / rate)
        check_events(lengths == 1, rate)


@pytest.mark.parametrize('name', ['old', 'new'])
def test_stale_states_repeat_the_state_before_with_its_stamp_or_a_new_one(run, name):
    came = [each for each in run(False).of(name) if each[0] <= MESSAGES]
    assert [arrival for arrival, _, _ in came] == list(range(1, MESSAGES + 1))
    measured = [round(math.sqrt(2 * position / EFFORT) / STEP_S - 0.5) for _, _, position in came]
    stale = np.array(measured) != np.arange(1, MESSAGES + 1)
    check_events(stale, RATE)
    shown = [0]
    for (arrival, stamp, position), again in zip(came, stale, strict=True):
        shown.append(shown[-1] if again else arrival)
        assert stamp == (arrival if name == 'new' else shown[-1])
        assert position == pytest.approx(
            0.5 * EFFORT * STEP_S**2 * shown[-1] * (shown[-1] + 1), abs=1e-9
        )
