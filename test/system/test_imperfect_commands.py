"""Random delays and losses of 10,000 commands over DDS, against their distributions.

The commands are sent in batches to a paused server, so the time of their arrival is known.
"""

from __future__ import annotations

import json
import math
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import yaml
from builtin.imperfections.delays_in_steps import DISTRIBUTIONS, check_delays
from builtin.sensors.noise.chance import check_mean
from std_msgs.msg import Float64

from .harness import free_domain, running_server, wait_until
from .late_wheel import MODEL, held, step
from .plugin_site import PluginSite

pytestmark = pytest.mark.slow

MESSAGES, BATCH, STEP_S, LATEST = 10_000, 1000, 0.001, 500
"""The number of commands of each topic, how many arrive at one time, and the largest delay."""
MOST_LOST = 40
RATE = 0.1
EFFECTS: dict[str, dict[str, Any]] = {
    'drop': {'drop': RATE},
    'duplicate': {'duplicate': RATE},
    **{name: {'latency': latency, 'keep_order': False}
       for name, (latency, _) in DISTRIBUTIONS.items()},
}  # fmt: skip
"""The effects on the commands of each topic."""
LISTENER = '''
import json

import numpy as np
from std_msgs.msg import Float64
from std_srvs.srv import Trigger

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state


class Listener(MujocoPlugin):
    """Notes which commands have arrived, and in which steps."""

    def load(self, model, data):
        self.states = {}
        for topic in self.config['topics']:
            state = new_state(came=np.zeros((20_000, 2), np.int64), count=0, last=-1)
            self.states[topic] = state
            self.ros.create_compiled_subscription(Float64, topic, self.take, 1000, state=state)
        self.ros.create_service(Trigger, '~/came', self.tell_came)
        self.ros.create_service(Trigger, '~/progress', self.tell_progress)

    @staticmethod
    @compiled
    def take(state, model, data, message):
        if state.count < len(state.came):
            state.last = int(message.data)
            state.came[state.count, 0] = state.last
            state.came[state.count, 1] = int(data.time / model.opt.timestep + 0.5)
            state.count += 1

    def tell_came(self, request, response):
        came = {name: each.came[: each.count].tolist() for name, each in self.states.items()}
        response.message = json.dumps(came)
        return response

    def tell_progress(self, request, response):
        found = {name: [int(each.count), int(each.last)] for name, each in self.states.items()}
        response.message = json.dumps(found)
        return response
'''


def tell(client: Any, what: str) -> Any:
    return json.loads(client.trigger(f'/listener/{what}').message)


def arrived(client: Any, count: int) -> bool:
    """Whether so many commands of each topic have arrived, except for some that may be lost."""
    progress = tell(client, 'progress')
    if any(progress[name][1] < count - MOST_LOST for name in ('drop', 'duplicate')):
        return False
    delivered = sum(progress[name][0] for name in DISTRIBUTIONS)
    return held(client) + delivered >= len(DISTRIBUTIONS) * count


@contextmanager
def publishers(client: Any):
    node, made = client.node, {}
    for name in EFFECTS:
        made[name] = node.create_publisher(Float64, f'/{name}', BATCH)
    for each in made.values():
        wait_until(lambda each=each: each.get_subscription_count() == 1, 'the subscription')
    yield made
    for each in made.values():
        client.run_in_executor(node.destroy_publisher, each)


@pytest.fixture(scope='module')
def came(tmp_path_factory):
    """For each topic, the numbers of the commands that arrived, and their delays in steps."""
    folder = tmp_path_factory.mktemp('commands')
    site = PluginSite(folder)
    site.add_module('listeners', LISTENER)
    plugins = [
        {'type': 'listeners/Listener', 'name': 'listener', 'topics': list(EFFECTS)},
        {
            'type': 'mujoco_ros_py/Imperfections', 'name': 'bus', 'seed': 7,
            'timeline': {name: {'of': f'/{name}', **each} for name, each in EFFECTS.items()},
        },
    ]  # fmt: skip
    given = {
        'mujoco_xml': MODEL, 'MujocoPlugins': yaml.safe_dump(plugins, sort_keys=False),
        'joint_states_rate': 0.0, 'unpause': False,
    }  # fmt: skip
    with (
        free_domain() as domain,
        running_server(folder, domain, given, **site.environment) as (_, client),
        publishers(client) as made,
    ):
        for first in range(0, MESSAGES, BATCH):
            for number in range(first, first + BATCH):
                for each in made.values():
                    each.publish(Float64(data=float(number)))
            wait_until(lambda end=first + BATCH: arrived(client, end), 'the commands')
            step(client, LATEST)
        found = {name: np.array(each) for name, each in tell(client, 'came').items()}
    return {
        name: (each[:, 0], each[:, 1] - LATEST * (each[:, 0] // BATCH))
        for name, each in found.items()
    }


@pytest.mark.parametrize('name', DISTRIBUTIONS)
def test_random_latencies_have_their_mean_variance_and_independence(came, name):
    numbers, delays = came[name]
    assert sorted(numbers) == list(range(MESSAGES))
    check_delays(delays[np.argsort(numbers)], DISTRIBUTIONS[name][1], STEP_S)


@pytest.mark.parametrize(('name', 'copies'), [('drop', 0), ('duplicate', 2)])
def test_losses_and_duplicates_have_their_share_and_their_independence(came, name, copies):
    numbers, _ = came[name]
    assert list(numbers) == sorted(numbers)
    found = np.bincount(numbers, minlength=MESSAGES)
    assert set(found) == {1, copies}
    events = found == copies
    check_mean(events, RATE, math.sqrt(RATE * (1 - RATE)))
    for lag in range(1, 11):
        check_mean((events[lag:] - RATE) * (events[:-lag] - RATE), 0.0, RATE * (1 - RATE))
