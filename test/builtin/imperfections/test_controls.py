"""Faults of controls against their definitions: delay, backlash, dead zone and offset."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mujoco_ros_py.errors import PluginError

from .cart import CART, COUNTING, LISTENING, MODEL, SWINGING, controls, forward, push
from .worn import session

BALL = """
<mujoco>
  <worldbody><body name="ball"><freejoint/><geom size="0.1"/></body></worldbody>
  <actuator><motor name="spin" site="top"/></actuator>
</mujoco>
""".replace('<geom', '<site name="top"/><geom')


@pytest.mark.parametrize('integrator', ['Euler', 'implicitfast', 'RK4'])
@pytest.mark.parametrize('delay', [0.007, 0.0065])
def test_a_delay_of_7_ms_is_7_steps_of_1_ms(integrator, delay):
    model = CART.format(0.001, integrator)
    with session(model, push(delay=delay), before=[COUNTING, LISTENING]) as made:
        heard = controls(made, 100)
    # RK4 evaluates the forces for the last time at the end of the step, and at its middle
    end = {'RK4': 1}.get(integrator, 0)
    commanded = np.arange(100) + 1.0 + end
    late = 7 if delay == 0.007 or integrator != 'RK4' else 6.5
    expected = np.where(np.arange(100) + end >= late, commanded - late, 0.0)
    assert heard == pytest.approx(expected, abs=1e-9)


def test_a_pause_with_forward_passes_changes_no_delay():
    with session(MODEL, push(delay=0.003), before=[COUNTING, LISTENING]) as made:
        expected = controls(made, 50)
    with session(MODEL, push(delay=0.003), before=[COUNTING, LISTENING]) as made:
        heard = []
        for _ in range(50):
            heard += [*controls(made, 1)]
            forward(made)
            forward(made)
    assert heard == list(expected)


def test_a_command_that_is_set_once_arrives_once_and_stays():
    with session(MODEL, push(delay=0.005), before=[LISTENING]) as made:
        made.step(3)
        made.call(lambda model, data: data.ctrl.__setitem__(0, 4.0))
        assert list(controls(made, 8)) == [0.0] * 5 + [4.0] * 3
        made.call(lambda model, data: data.ctrl.__setitem__(0, -1.0))
        assert list(controls(made, 8)) == [4.0] * 5 + [-1.0] * 3


def test_a_delay_that_begins_holds_what_was_there_and_one_that_ends_skips_the_pipe():
    timeline = [push(delay=0.005, at=0.010, until=0.020)]
    with session(MODEL, *timeline, before=[COUNTING, LISTENING]) as made:
        heard = controls(made, 30)
    before = np.arange(10) + 1.0
    during = [10.0] * 5 + [11.0, 12.0, 13.0, 14.0, 15.0]
    assert list(heard) == pytest.approx([*before, *during, *(np.arange(20, 30) + 1.0)])


def test_a_reset_empties_the_pipe():
    with session(MODEL, push(delay=0.005), before=[LISTENING]) as made:
        made.call(lambda model, data: data.ctrl.__setitem__(0, 4.0))
        made.step(3)
        made.reset()
        assert list(controls(made, 20)) == [0.0] * 20


def test_the_pipe_is_part_of_a_saved_state():
    with session(MODEL, push(delay=0.007), before=[SWINGING, LISTENING]) as made:
        made.step(100)
        saved = made.save()
        first = controls(made, 50)
        end = made.snapshot().data.qpos.tobytes()
        made.step(33)
        assert made.restore(saved) == []
        assert controls(made, 50).tobytes() == first.tobytes()
        assert made.snapshot().data.qpos.tobytes() == end
        made.reset()
        made.restore(saved)
        assert controls(made, 50).tobytes() == first.tobytes()


def test_the_pipe_stays_when_an_entity_comes():
    with session(MODEL, push(delay=0.007), before=[COUNTING, LISTENING]) as made:
        made.step(20)
        made.spawn(BALL, 'ball', position=[0, 0, 1])
        assert list(controls(made, 5)) == pytest.approx([14.0, 15.0, 16.0, 17.0, 18.0])


def test_a_group_has_the_actuators_that_came_later_too():
    timeline = [{'of': {'actuator_group': 0}, 'offset': 1.0}]
    with session(MODEL.replace('group="3"', ''), *timeline, before=[LISTENING]) as made:
        made.step(2)
        assert list(made.snapshot().data.ctrl) == [0.0, 1.0]
        made.spawn(BALL, 'ball', position=[0, 0, 1])
        made.step(2)
        assert list(made.snapshot().data.ctrl) == [0.0, 1.0, 1.0]


def test_backlash_is_the_play_operator():
    with session(MODEL, push(backlash=0.5), before=[SWINGING, LISTENING]) as made:
        heard = controls(made, 2000)
    play, expected = 0.0, []
    for step in range(2000):
        given = math.sin(2.0 * math.pi * step * 0.001)
        play = min(max(play, given - 0.25), given + 0.25)
        expected.append(play)
    assert heard == pytest.approx(expected, abs=1e-9)
    # the loop: on the way up half of the play behind, on the way down half of it before
    given = np.sin(2.0 * math.pi * np.arange(1000, 2000) * 0.001)
    loop = heard[1000:] - given
    assert loop[100] == pytest.approx(-0.25, abs=1e-9)
    assert loop[500] == pytest.approx(0.25, abs=1e-9)
    assert np.ptp(loop) == pytest.approx(0.5, abs=1e-9)
    # a parallelogram: the play, times the range of the output
    closed = np.append(heard[1000:], heard[1000]), np.append(given, given[0])
    area = np.sum(0.5 * (closed[0][1:] + closed[0][:-1]) * np.diff(closed[1]))
    assert abs(area) == pytest.approx(0.5 * 1.5, rel=1e-4)


def test_backlash_depends_on_times_and_not_on_the_number_of_forward_passes():
    with session(MODEL, push(backlash=0.5), before=[LISTENING]) as made:
        made.step(2)
        for control in (1.0, 0.0):  # only the last control counts, as no time has passed
            made.call(lambda model, data, c=control: data.ctrl.__setitem__(0, c))
            forward(made)
        assert list(controls(made, 3)) == [0.0] * 3


def test_dead_zone_and_offset():
    with session(MODEL, push(dead_zone=0.5, offset=0.2), before=[SWINGING, LISTENING]) as made:
        heard = controls(made, 1000)
    given = np.sin(2.0 * math.pi * np.arange(1000) * 0.001)
    assert heard == pytest.approx(np.where(abs(given) < 0.5, 0.0, given) + 0.2, abs=1e-9)


def test_entries_are_applied_in_one_order_whatever_theirs_is():
    entries = [push(offset=0.2), push(dead_zone=0.5), push(delay=0.01)]
    heard = []
    for timeline in (entries, entries[::-1]):
        with session(MODEL, *timeline, before=[SWINGING, LISTENING]) as made:
            heard.append(controls(made, 500).tobytes())
    assert heard[0] == heard[1]


def test_two_runs_are_equal_to_the_bit():
    def run() -> bytes:
        timeline = [push(delay=0.0123, backlash=0.1), push(offset=0.01, at=0.2)]
        with session(CART.format(0.0007, 'RK4'), *timeline, before=[SWINGING]) as made:
            made.step(1000)
            data = made.snapshot().data
            return data.qpos.tobytes() + data.qvel.tobytes()

    assert run() == run()


def test_parameters_change_while_the_entry_runs():
    with session(MODEL, push(delay=0.004), before=[COUNTING, LISTENING]) as made:
        made.step(20)
        plugin = made.plugins['worn']

        def change(**values: float) -> None:
            entry = plugin.timeline[0]
            for name, value in values.items():
                object.__setattr__(entry, name, value)
            made.call(lambda model, data: plugin.rows.set_entry(plugin.state, 0, entry))

        change(delay=0.006)  # nothing arrives until the commands are 6 ms old
        assert list(controls(made, 4)) == pytest.approx([16.0, 16.0, 17.0, 18.0])
        change(delay=0.002)
        assert list(controls(made, 2)) == pytest.approx([23.0, 24.0])
        change(active=False)
        assert list(controls(made, 2)) == pytest.approx([27.0, 28.0])


@pytest.mark.parametrize(
    ('entry', 'message'),
    [
        (
            {'of': {'actuator': 'pusch'}, 'delay': 0.1},
            r"timeline.e0\.of: unknown actuator 'pusch' .*; known: pull, push",
        ),
        (
            {'of': {'actuators': ['push', 'x']}, 'offset': 0.1},
            r"timeline.e0\.of: unknown actuator 'x'; known: pull, push",
        ),
        (
            {'of': {'actuator_group': 1}, 'offset': 0.1},
            r'timeline.e0\.of\.actuator_group must be a group with actuators, got 1;'
            ' known: 2, 3',
        ),
        (
            push(delay=100.0),
            r'timeline.e0\.delay must be at most 65\.532 s with the time step 0\.001 s, got 100',
        ),
    ],
)
def test_a_wrong_entry_is_refused_with_what_there_is(entry, message):
    with pytest.raises(PluginError, match=message):
        session(MODEL, entry)
