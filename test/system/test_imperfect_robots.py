"""Each fault of actuators, encoders, sensors, numbers and connections over DDS, step by step."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import yaml

from .commanded_wheels import STEP_S, drive, lockstep_of, states
from .plugin_site import PluginSite

pytestmark = pytest.mark.slow

STEPS = 120
WAVE = [round(4.0 * math.sin(0.02 * math.pi * k + 0.1), 3) for k in range(STEPS)]
"""The commanded efforts; they change their sign at about 48 ms and 98 ms."""
Forces = Callable[[Sequence[float]], list[float]]
"""Returns the force of each step for the commands of all steps."""


def during(first: int, last: int, scale: float) -> Forces:
    """Scales the commands of some steps."""
    return lambda given: [c * (scale if first <= k < last else 1.0) for k, c in enumerate(given)]


def limited_speed(given: Sequence[float], limit: float) -> list[float]:
    forces, speed = [], 0.0
    for command in given:
        too_fast = abs(speed) > limit and command * speed > 0.0
        forces.append(0.0 if too_fast else command)
        speed += STEP_S * forces[-1]
    return forces


def played(given: Sequence[float], width: float) -> list[float]:
    play, forces = 0.0, []
    for command in given:
        play = min(max(play, command - width / 2), command + width / 2)
        forces.append(play)
    return forces


ACTUATORS: dict[str, tuple[dict[str, Any], Forces]] = {
    'weak': ({'scale': 0.5, 'at': 0.02, 'until': 0.06}, during(20, 60, 0.5)),
    'dead': ({'stop': True, 'at': 0.03, 'until': 0.05}, during(30, 50, 0.0)),
    'slow': ({'delay': 0.007}, lambda given: [0.0] * 7 + list(given[:-7])),
    'small': ({'saturate': {'force': 1.5}}, lambda given: list(np.clip(given, -1.5, 1.5))),
    'fast': ({'saturate': {'velocity': 0.05}}, lambda given: limited_speed(given, 0.05)),
    'biased': ({'offset': 0.2}, lambda given: [c + 0.2 for c in given]),
    'numb': ({'dead_zone': 1.0}, lambda given: [c if abs(c) >= 1.0 else 0.0 for c in given]),
    'loose': ({'backlash': 0.5}, lambda given: played(given, 0.5)),
}
"""A wheel for each effect, and the forces of its motor."""
BROWNOUT = ['front', 'rear']
"""The motors of group 2."""
Reading = Callable[[float, float, float], tuple[float, float]]
"""Returns what is read for a position, a velocity and a time."""
STUCK_S = 0.03


def at_step(step: int) -> tuple[float, float]:
    """The position and the velocity of a wheel with a force of 1 N m after so many steps."""
    return 0.5 * STEP_S**2 * step * (step + 1), STEP_S * step


def drifted(q: float, v: float, t: float) -> tuple[float, float]:
    return (q + 0.5 * (t - 0.02), v + 0.5) if t > 0.0199 else (q, v)


def stuck(q: float, v: float, t: float) -> tuple[float, float]:
    return (at_step(30)[0], 0.0) if 0.0299 < t < 0.0599 else (q, v)


NUMBERS: dict[str, tuple[dict[str, Any], Reading]] = {
    'scaled': ({'scale': 1.01}, lambda q, v, t: (1.01 * q, 1.01 * v)),
    'shifted': ({'offset': 0.02}, lambda q, v, t: (q + 0.02, v)),
    'drifting': ({'drift': 0.5, 'at': 0.02}, drifted),
    'stuck': ({'stick': True, 'at': STUCK_S, 'until': 0.06}, stuck),
    'deaf': ({'dead_zone': 0.001}, lambda q, v, t: (q if abs(q) >= 0.001 else 0.0, v)),
    'rough': ({'quantise': 0.000317}, lambda q, v, t: (0.000317 * round(q / 0.000317), v)),
    'all': (
        {'scale': 2.0, 'offset': 0.001, 'quantise': 0.000317},
        lambda q, v, t: (0.000317 * round((2.0 * q + 0.001) / 0.000317), 2.0 * v),
    ),
}
"""A wheel for each effect, and what is read instead of its position and its velocity."""
WHEELS = [*ACTUATORS, *BROWNOUT, *NUMBERS, 'healthy']
READER = '''
from sensor_msgs.msg import JointState

import numpy as np

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state


class Reader(MujocoPlugin):
    """Publishes what control callbacks read of the sensors, as positions."""

    def load(self, model, data):
        self.state = new_state(read=np.zeros(model.nsensordata))
        template = JointState(position=[0.0] * model.nsensordata)
        self.ros.create_compiled_publisher(
            JointState, 'read', self.fill, rate_hz=1000.0, template=template, state=self.state
        )

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        state.read[:] = data.sensordata

    @staticmethod
    @compiled
    def fill(state, model, data, message):
        for k in range(len(state.read)):
            message.position[k] = state.read[k]
'''
PLUGINS = [states('true'), states('changed'), {'type': 'readers/Reader', 'name': 'reader'}]
BASE = lockstep_of({name: 2 if name in BROWNOUT else 0 for name in WHEELS}, PLUGINS)


@pytest.fixture(scope='module')
def site(tmp_path_factory) -> PluginSite:
    made = PluginSite(tmp_path_factory.mktemp('readers'))
    made.add_module('readers', READER)
    return made


@pytest.fixture
def driven(share, site):
    """`driven(timeline, efforts, *topics)`: the messages of the topics by step; see `drive`."""

    def driven(timeline: dict[str, Any], efforts: Sequence[float], *topics: str):
        bus = {'type': 'mujoco_ros_py/Imperfections', 'name': 'bus', 'timeline': timeline}
        plugins = [*yaml.safe_load(BASE['MujocoPlugins']), bus]
        given = {'MujocoPlugins': yaml.safe_dump(plugins, sort_keys=False)}
        _, client = share(BASE, given=given, **site.environment)
        return drive(client, WHEELS, efforts, *topics)

    return driven


def forces(messages: Sequence[Any], name: str) -> list[float]:
    """The force of a motor in each step, which the state after the step has."""
    return [message.effort[WHEELS.index(name)] for message in messages[1:]]


def test_each_effect_on_an_actuator_changes_its_force_as_defined(driven):
    timeline = {name: {'of': {'actuator': name}, **each} for name, (each, _) in ACTUATORS.items()}
    timeline['brownout'] = {'of': {'actuator_group': 2}, 'scale': 0.3, 'at': 0.04, 'until': 0.08}
    (came,) = driven(timeline, WAVE, '/true')
    expected = {name: law(WAVE) for name, (_, law) in ACTUATORS.items()}
    expected |= dict.fromkeys(BROWNOUT, during(40, 80, 0.3)(WAVE)) | {'healthy': WAVE}
    for name, law in expected.items():
        assert forces(came, name) == pytest.approx(law, abs=1e-9), name
    speeds = [message.velocity[WHEELS.index('fast')] for message in came]
    assert 0.05 < max(speeds) < 0.05 + 4.0 * STEP_S


def readings(name: str, steps: int) -> list[tuple[float, float]]:
    """What is read of the wheel of an effect after each step."""
    return [NUMBERS[name][1](*at_step(k), STEP_S * k) for k in range(steps)]


def test_each_effect_on_an_encoder_changes_the_states_as_defined(driven):
    timeline = {name: {'of': {'joint': name}, **each} for name, (each, _) in NUMBERS.items()}
    for came in driven(timeline, [1.0] * STEPS, '/true', '/changed'):
        for name in NUMBERS:
            k = WHEELS.index(name)
            found = [(message.position[k], message.velocity[k]) for message in came]
            assert found == [
                pytest.approx(each, abs=1e-9) for each in readings(name, STEPS + 1)
            ], name
        healthy = [message.position[WHEELS.index('healthy')] for message in came]
        assert healthy == pytest.approx([at_step(k)[0] for k in range(STEPS + 1)], abs=1e-9)


def test_each_effect_on_a_number_of_a_message_changes_it_as_defined(driven):
    timeline = {
        name: {'of': {'topic': '/changed', 'field': f'position[{WHEELS.index(name)}]'}, **each}
        for name, (each, _) in NUMBERS.items()
    }
    true, changed = driven(timeline, [1.0] * STEPS, '/true', '/changed')
    for name in NUMBERS:
        k = WHEELS.index(name)
        expected = [position for position, _ in readings(name, STEPS + 1)]
        assert [each.position[k] for each in changed] == pytest.approx(expected, abs=1e-9), name
    for one, other in zip(true, changed, strict=True):
        assert one.velocity == other.velocity
        assert one.position[-1] == other.position[-1]


def test_each_effect_on_a_sensor_changes_what_control_callbacks_read_as_defined(driven):
    timeline = {name: {'of': {'sensor': name}, **each} for name, (each, _) in NUMBERS.items()}
    true, read = driven(timeline, [1.0] * STEPS, '/true', '/read')
    for name in NUMBERS:
        k = WHEELS.index(name)
        expected = [position for position, _ in readings(name, STEPS)]
        found = [message.position[k] for message in read[1:]]  # read at the begin of the step
        assert found == pytest.approx(expected, abs=1e-9), name
    assert true[-1].position == pytest.approx([at_step(STEPS)[0]] * len(WHEELS), abs=1e-9)


def test_a_controller_that_is_disconnected_leaves_its_last_command(driven):
    timeline = {'cut': {'of': 'hardware', 'disconnect': True, 'at': 0.02, 'until': 0.05}}
    (came,) = driven(timeline, WAVE, '/true')
    expected = [*WAVE[:20], *([WAVE[19]] * 30), *WAVE[50:]]
    assert forces(came, 'healthy') == pytest.approx(expected, abs=1e-9)


def test_late_commands_keep_their_order_unless_they_may_overtake(driven):
    late = {'of': 'hardware', 'latency': {'uniform': [0.0, 0.02]}}
    numbers = [float(k) for k in range(1, 301)]
    found = {}
    for keep_order in (True, False):
        timeline = {'late': {**late, 'keep_order': keep_order}}
        found[keep_order] = forces(driven(timeline, numbers, '/true')[0], 'healthy')
    ages = np.array(numbers) - found[True]
    assert found[True] == sorted(found[True])
    assert min(ages) >= 0
    assert max(ages[20:]) <= 20
    assert found[True] != found[False] != sorted(found[False])
