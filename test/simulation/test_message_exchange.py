"""Messages that compiled code fills on other threads, and reads on the physics thread."""

from __future__ import annotations

import gc
import os
import re
import threading
from itertools import pairwise
from types import SimpleNamespace

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S
from numba import objmode

from mujoco_ros_py.engine import Derived, Point, compile_callback, new_state, python_callback
from mujoco_ros_py.errors import EngineError
from mujoco_ros_py.simulation import message_exchange
from mujoco_ros_py.simulation.message_exchange import LeftOutMessages

from .exchanged import Received, Sent

TIMESTEP = 0.002


def fill(state, model, data, message):
    message.value = data.qpos[0]
    message.count += 1


def fill_every_other(state, model, data, message):
    state.calls += 1
    message.value = state.calls
    return state.calls % 2 == 0


def fill_unless_it_is_early(state, model, data, message):
    if data.time < 0.02:
        return False
    message.value = data.time


def fill_slowly(state, model, data, message):
    message.value = 0.0
    for k in range(3_000_000):
        message.value += (k % 7) / (1.0 + k)


def fill_velocity_of_the_body(state, model, data, message):
    message.value = data.cvel[1, 1]


def fill_sensor(state, model, data, message):
    message.value = data.sensordata[0]


def fill_state(state, model, data, message):
    message.value = state.time
    message.count = state.steps


def note_step(state, model, data):
    state.steps += 1
    state.time = data.time


def fail_at_once(state, model, data, message):
    raise ValueError('broken')


def stop_mujoco(state, model, data, message):
    mujoco.mj_stateSize(model, 2**30)  # a fatal error


def read(state, model, data, message):
    state.last = message.value
    state.time = data.time
    state.count += 1


class Held(Sent):
    """An outlet that sends nothing until the test lets it go."""

    def __init__(self, *given, **options):
        self.going = threading.Event()
        super().__init__(*given, **options)

    def _send(self):
        self.going.wait(DEADLINE_S)
        return super()._send()


@pytest.fixture
def steady(simulate, pendulum):
    """`steady(*sent, **options)`: a paused simulation with these outlets."""

    def steady(*sent: Sent, model=pendulum, **options):
        simulation = simulate(model, **{'paused': True, **options})
        for each in sent:
            simulation.exchange.add_outlet(each.outlet)
        return simulation

    return steady


def test_the_first_message_is_that_of_the_start_and_then_one_comes_in_each_period(
    simulate, recorder, pendulum, until
):
    sent = Sent(fill, 100.0)

    def wait_for_the_messages():
        """Keeps the moments that are not sent yet below those that the ring holds."""
        until(lambda: sent.times[-1] > simulation.time - 0.03)

    plugins = recorder([python_callback(Point.LAST_STAGE, wait_for_the_messages)])
    simulation = simulate(pendulum, plugins, paused=True, realtime=1.0)
    simulation.exchange.add_outlet(sent.outlet)
    until(lambda: sent.messages)
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: sent.times[-1] > 0.2)
    times = sent.times
    periods = {round(after - before, 9) for before, after in pairwise(times)}
    assert times[0] == 0
    assert periods - {0.0} == {0.01}, 'the pause may have repeated the start'
    counts = [count for *_, count in sent.messages]
    assert counts == list(range(1, len(counts) + 1)), 'the message keeps what was written'


def test_a_function_that_returns_false_has_no_message_sent(steady, until):
    sent = Sent(fill_every_other, 100.0, new_state(calls=0), copies_state=False)
    simulation = steady(sent, realtime=1.0)
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: len(sent.messages) > 3)
    values = [value for _, value, _ in sent.messages]
    assert values == [2.0 * k for k in range(1, len(values) + 1)]
    until(lambda: sent.outlet.record.published == len(sent.messages))  # it counts after it sends


def test_a_function_that_returns_nothing_after_it_returned_false_has_its_messages_sent(
    steady, until
):
    sent = Sent(fill_unless_it_is_early, 100.0)
    simulation = steady(sent, realtime=1.0)
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: len(sent.messages) > 2)
    assert sent.times[0] == 0.02


def test_messages_that_come_faster_than_they_are_filled_are_left_out_and_that_is_told(
    steady, until, caplog
):
    """Each takes some milliseconds, and is due in each step of 2 ms; the steps go on."""
    slow, quick = Sent(fill_slowly, 500.0, name='slow'), Sent(fill, 500.0, name='quick')
    simulation = steady(quick)
    exchange = simulation.exchange
    exchange.add_outlet(slow.outlet, thread=True)
    until(lambda: slow.messages)
    simulation.set_realtime(1.0).result(DEADLINE_S)
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: exchange.left_out > 20 and len(slow.messages) > 20)
    exchange.tell_left_out()
    exchange.tell_left_out()
    told = [record.getMessage() for record in caplog.records if 'dropped' in record.getMessage()]
    # A busy machine may keep the other feed from its messages, too.
    feeds = [text.split(' messages')[0].rsplit(' ', 1)[0] for text in told]
    assert feeds.count('the feed of slow cannot keep up:') == 1
    assert len(feeds) == len(set(feeds))
    times = slow.times
    assert all(round(time / TIMESTEP, 6).is_integer() for time in times)
    assert max(after - before for before, after in pairwise(times)) > TIMESTEP


def test_a_function_for_listeners_only_is_called_once_somebody_listens(steady, until):
    listeners = []
    quiet, other = Sent(fill, 100.0, only_heard=True), Sent(fill, 100.0)
    quiet.listeners = lambda: len(listeners)
    simulation = steady(quiet, other, realtime=1.0)
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: len(other.messages) > 5)
    assert not quiet.messages
    listeners.append('somebody')
    until(lambda: len(quiet.messages) > 3)
    listeners.clear()
    count = len(quiet.messages)
    before = len(other.messages)
    until(lambda: len(other.messages) > before + 5)
    assert len(quiet.messages) <= count + 1, 'one may have been under way'


def test_each_moment_is_filled_from_the_data_of_its_stamp(steady, until, pendulum):
    sent = Sent(fill, 500.0)
    simulation = steady(sent, realtime=1.0)
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: sent.times and sent.times[-1] > 0.1)
    data, expected = mujoco.MjData(pendulum), {}
    for _ in range(200):
        expected[round(data.time, 9)] = float(data.qpos[0])
        mujoco.mj_step(pendulum, data)
    for time, value, _ in sent.messages:
        if time < 0.1:
            assert value == expected[round(time, 9)]


@pytest.mark.parametrize(
    ('code', 'derived', 'value'),
    [
        (fill_velocity_of_the_body, Derived.POSES, lambda data: data.cvel[1, 1]),
        (fill_sensor, Derived.SENSORS, lambda data: data.sensordata[0]),
    ],
)
def test_what_is_derived_belongs_to_the_moment(simulate, until, code, derived, value):
    model = mujoco.MjModel.from_xml_string("""
      <mujoco>
        <option timestep="0.002"/>
        <worldbody>
          <body><joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/>
            <site name="tip" pos="0.3 0 0"/></body>
        </worldbody>
        <sensor><velocimeter site="tip"/></sensor>
      </mujoco>""")
    sent = Sent(code, 500.0, derived=derived)
    simulation = simulate(model, paused=True)
    simulation.exchange.add_outlet(sent.outlet)
    simulation.step(50).result(DEADLINE_S)
    until(lambda: sent.times and sent.times[-1] == 0.1)
    data = mujoco.MjData(model)
    data.qpos, data.qvel = simulation.submit(
        lambda model, data: (data.qpos.copy(), data.qvel.copy())
    ).result(DEADLINE_S)
    mujoco.mj_forward(model, data)
    assert sent.messages[-1][1] == pytest.approx(value(data), abs=1e-12)


def test_the_state_that_is_filled_in_is_that_of_the_moment(simulate, recorder, pendulum, until):
    state = new_state(steps=0, time=0.0)
    plugins = recorder([compile_callback(Point.LAST_STAGE, note_step, state)])
    sent = Sent(fill_state, 500.0, state)
    simulation = simulate(pendulum, plugins, realtime=5.0)
    simulation.exchange.add_outlet(sent.outlet)
    until(lambda: len(sent.messages) > 50)
    for time, state_time, steps in sent.messages:
        assert round(time / TIMESTEP) == steps
        assert state_time == pytest.approx(time, abs=1e-9)


def test_each_of_many_outlets_is_filled_from_its_own_state(steady, until):
    large = np.zeros(1000)
    every = [Sent(fill_state, 1.0, new_state(steps=k, time=0.0, more=large)) for k in range(32)]
    steady(*every)
    until(lambda: all(each.messages for each in every))
    assert [count for each in every for *_, count in each.messages[:1]] == [*range(32)]


def test_without_a_copy_the_function_writes_into_the_record_itself(steady, until):
    def count(state, model, data, message):
        state.count += 1

    state = new_state(count=0)
    sent = Sent(count, 100.0, state, copies_state=False)
    steady(sent)
    until(lambda: state.count > 1)


def test_a_reset_begins_again_with_a_message_of_the_start(steady, until):
    sent = Sent(fill, 10.0)
    simulation = steady(sent)
    simulation.step(30).result(DEADLINE_S)
    until(lambda: sent.messages and sent.times[-1] > 0)
    before = len(sent.messages)
    simulation.reset().result(DEADLINE_S)
    until(lambda: len(sent.messages) > before and sent.times[-1] == 0)


def test_in_a_pause_the_last_message_is_repeated(steady, until):
    sent = Sent(fill, 1.0)
    steady(sent)
    until(lambda: len(sent.messages) >= 3)
    assert set(sent.times) == {0}


def test_what_was_to_be_repeated_in_a_pause_is_not_sent_in_a_step_that_follows(
    simulate, recorder, pendulum, until
):
    armed = []

    def wait() -> None:
        """Has a step take until the reader asks for the moment of the pause again."""
        if armed:
            until(lambda: armed[0]._ring._record.again)

    plugins = recorder([python_callback(Point.CONTROL, wait)])
    simulation = simulate(pendulum, plugins, paused=True, realtime=1.0, idle=False)
    sent = Sent(fill, 100.0)
    simulation.exchange.add_outlet(sent.outlet)
    until(lambda: sent.messages)
    armed.append(simulation.exchange.feed)
    simulation.step(3).result(DEADLINE_S)
    until(lambda: sent.times[-1] == 3 * TIMESTEP)
    assert set(sent.times) == {0.0, 3 * TIMESTEP}, 'the moments of both pauses'


@pytest.mark.parametrize(
    ('broken', 'kind', 'words'),
    [
        (fail_at_once, ValueError, 'broken'),
        (stop_mujoco, EngineError, 'MuJoCo reported a fatal error: .*(mj_stateSize|signature)'),
    ],
)
def test_a_fault_is_told_and_others_go_on(steady, until, broken, kind, words):
    bad, good = Sent(broken, 100.0), Sent(fill, 100.0)
    simulation = steady(bad, good, realtime=1.0)
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: bad.faults)
    before = len(good.messages)
    until(lambda: len(good.messages) > before + 10)
    assert [type(fault) for fault in bad.faults] == [kind]
    assert re.search(words, str(bad.faults[0]))
    assert not bad.messages
    assert not simulation.status().failure


def test_a_fatal_error_has_its_text_though_outlets_were_added_meanwhile(steady, until):
    going = threading.Event()

    def wait_and_stop_mujoco(state, model, data, message):
        with objmode():
            going.wait(DEADLINE_S)
        mujoco.mj_stateSize(model, 2**30)

    bad, good = Sent(wait_and_stop_mujoco, 1.0, name='bad'), Sent(fill, 1.0)
    simulation = steady(bad)
    until(lambda: simulation.exchange.feed.doing() == 'bad')
    simulation.exchange.add_outlet(good.outlet)
    going.set()
    until(lambda: bad.faults)
    assert re.search('fatal error: .*(mj_stateSize|signature)', str(bad.faults[0]))


def test_what_the_middleware_refuses_is_counted(steady, until):
    sent = Sent(fill, 100.0, code=1)
    steady(sent)
    until(lambda: len(sent.messages) >= 2)
    record = sent.outlet.record
    until(lambda: record.errors == record.published >= 2)
    assert record.code == 1


def test_code_that_does_not_return_is_left_behind_until_it_does(steady, until):
    going = threading.Event()

    def wait(state, model, data, message):
        with objmode():
            going.wait(DEADLINE_S)

    slow, good = Sent(wait, 1.0, name='slow'), Sent(fill, 1.0)
    simulation = steady(slow)
    feed = simulation.exchange.feed
    until(lambda: feed.doing() == 'slow')
    simulation.exchange.add_outlet(good.outlet)
    simulation.set_paused(True).result(DEADLINE_S)  # the thread goes on with both, once it can
    feed.leave_behind()
    until(lambda: len(good.messages) > 1)
    assert not slow.messages
    going.set()
    until(lambda: slow.messages)
    count = len(slow.messages)
    until(lambda: len(slow.messages) > count)


def test_a_thread_that_was_left_behind_sends_no_message_that_another_one_sends(
    simulate, pendulum, until
):
    threads = set()

    class Noting(Sent):
        def _send(self):
            threads.add(threading.get_ident())
            return super()._send()

    slow, good = Held(fill, 1.0, name='slow'), Noting(fill, 1.0, derived=Derived.POSES)
    simulation = simulate(paused=True)
    for each in (slow, good):
        simulation.exchange.add_outlet(each.outlet)
    simulation.load(pendulum).result(DEADLINE_S)
    feed = simulation.exchange.feed
    until(lambda: feed.doing() == 'slow')
    feed.leave_behind()
    until(lambda: good.messages)
    slow.going.set()
    until(lambda: slow.messages)
    assert len(threads) == 1


def test_moments_that_wait_are_sent_in_the_order_of_their_times(steady, until):
    slow = Held(fill, 1 / TIMESTEP, name='slow')
    simulation = steady(slow)
    until(lambda: simulation.exchange.feed.doing() == 'slow')
    for _ in range(3):  # each change has the moments after it wait by themselves
        simulation.exchange.add_outlet(Sent(fill, 1.0).outlet)
        simulation.step().result(DEADLINE_S)
    slow.going.set()
    until(lambda: slow.times and slow.times[-1] == 3 * TIMESTEP)
    assert [*dict.fromkeys(slow.times)] == [k * TIMESTEP for k in range(4)]


def test_moments_that_are_given_up_because_too_many_wait_are_counted_as_left_out(steady, until):
    slow = Held(fill, 1.0, name='slow')
    simulation = steady(slow)
    until(lambda: simulation.exchange.feed.doing() == 'slow')
    kept, added = 4, 6
    for _ in range(added):  # each change has the moments after it wait by themselves
        simulation.exchange.add_outlet(Sent(fill, 1.0).outlet)
        simulation.step().result(DEADLINE_S)
    assert simulation.exchange.left_out == added - kept
    slow.going.set()
    until(lambda: slow.messages)


def test_an_outlet_on_a_thread_of_its_own_holds_up_no_other(simulate, pendulum, until):
    slow, good = Held(fill, 100.0), Sent(fill, 100.0)
    simulation = simulate(pendulum)
    simulation.exchange.add_outlet(slow.outlet, thread=True)
    simulation.exchange.add_outlet(good.outlet)
    until(lambda: len(good.messages) > 20)
    assert not slow.messages
    slow.going.set()
    simulation.exchange.remove_outlet(slow.outlet)
    until(lambda: slow.released)


def test_a_removed_outlet_is_released_once_and_sends_no_more(steady, until):
    gone, other = Sent(fill, 100.0), Sent(fill, 100.0)
    simulation = steady(gone, other)
    until(lambda: gone.messages and other.messages)
    simulation.exchange.remove_outlet(gone.outlet)
    until(lambda: gone.released)
    sent, before = len(gone.messages), len(other.messages)
    until(lambda: len(other.messages) > before + 1)
    assert (len(gone.messages), gone.released, other.released) == (sent, 1, 0)


def test_outlets_that_are_removed_after_the_end_are_released_too(simulate, pendulum, until):
    sent, received = Sent(fill, 100.0), Received(read, new_state(last=0.0, time=0.0, count=0))
    simulation = simulate(pendulum)
    simulation.exchange.add_outlet(sent.outlet)
    simulation.exchange.add_inlet(received.inlet)
    until(lambda: sent.messages)
    assert simulation.close(DEADLINE_S)
    simulation.exchange.remove_outlet(sent.outlet)
    simulation.exchange.remove_inlet(received.inlet)
    assert (sent.released, received.released) == (1, 1)


def test_another_model_is_followed_without_a_pause_of_the_outlet(steady, until):
    sent = Sent(fill, 100.0)
    simulation = steady(sent)
    until(lambda: sent.messages)
    other = mujoco.MjModel.from_xml_string("""
      <mujoco><worldbody>
        <body><joint ref="57.29577951308232"/><geom size="0.1"/></body>
      </worldbody></mujoco>""")
    simulation.load(other).result(DEADLINE_S)
    until(lambda: sent.messages[-1][1] == pytest.approx(1.0))


def test_unthrottled_rates_count_in_wall_time_so_that_nothing_is_slowed_down(steady, until):
    sent = Sent(fill, 500.0)
    simulation = steady(sent, realtime=-1.0)
    simulation.set_paused(False).result(DEADLINE_S)
    before = len(sent.messages)
    until(lambda: len(sent.messages) > before + 20)
    steps = np.diff(sent.times[before:]) / TIMESTEP
    assert np.median(steps) > 1, 'many steps are made between two messages'


def test_a_message_is_read_before_the_next_step(simulate, pendulum):
    state = new_state(last=0.0, time=-1.0, count=0)
    received = Received(read, state)
    simulation = simulate(pendulum, paused=True, idle=False)
    simulation.exchange.add_inlet(received.inlet)
    simulation.step(10).result(DEADLINE_S)
    assert state.count == 0
    received.waiting.extend([1.0, 2.0, 3.0])
    simulation.step(1).result(DEADLINE_S)
    assert (state.last, state.count) == (3.0, 3)
    assert state.time == pytest.approx(10 * TIMESTEP)


def test_a_flood_of_messages_does_not_keep_the_physics_from_stepping(simulate, pendulum):
    state = new_state(last=0.0, time=-1.0, count=0)
    received = Received(read, state)
    simulation = simulate(pendulum, paused=True, idle=False)
    simulation.exchange.add_inlet(received.inlet)
    received.waiting.extend(range(1000))
    simulation.step(1).result(DEADLINE_S)
    assert 0 < state.count < 1000
    simulation.step(1000).result(DEADLINE_S)
    assert (state.last, state.count) == (999.0, 1000)


@pytest.mark.parametrize('awaited', [False, True])
@pytest.mark.parametrize('way', ['reset', 'restore', 'load'])
def test_what_came_in_an_epoch_is_read_before_its_end(simulate, pendulum, way, awaited):
    state = new_state(last=0.0, time=-1.0, count=0)
    received = Received(read, state, awaited=awaited)
    simulation = simulate(pendulum, paused=True, idle=False)
    simulation.exchange.add_inlet(received.inlet)
    saved = simulation.save().result(DEADLINE_S)
    simulation.step(10).result(DEADLINE_S)
    received.waiting.extend(range(1000))
    again = {'load': pendulum, 'restore': saved}.get(way)
    getattr(simulation, way)(*([] if again is None else [again])).result(DEADLINE_S)
    assert state.count == 1000
    assert state.time == pytest.approx(10 * TIMESTEP), 'it was read at the time of before'
    simulation.step(1).result(DEADLINE_S)
    assert state.count == 1000


def test_a_reset_is_made_though_a_message_stops_mujoco(simulate, pendulum):
    received = Received(stop_mujoco, None)
    simulation = simulate(pendulum, paused=True, idle=False)
    simulation.exchange.add_inlet(received.inlet)
    received.waiting.append(1.0)
    simulation.reset().result(DEADLINE_S)
    simulation.step(1).result(DEADLINE_S)
    assert simulation.status().failure == ''


def test_messages_are_read_in_a_pause_too(simulate, pendulum, until):
    state = new_state(last=0.0, time=-1.0, count=0)
    received = Received(read, state)
    simulation = simulate(pendulum, paused=True)
    simulation.exchange.add_inlet(received.inlet)
    received.waiting.append(5.0)
    until(lambda: state.last == 5.0)


def test_an_error_of_the_source_is_counted_and_the_next_message_is_read(simulate, pendulum):
    state = new_state(last=0.0, time=-1.0, count=0)
    received = Received(read, state)
    simulation = simulate(pendulum, paused=True, idle=False)
    simulation.exchange.add_inlet(received.inlet)
    received.waiting.extend([np.nan, 4.0])
    simulation.step(2).result(DEADLINE_S)
    assert (state.last, received.inlet.record.errors) == (4.0, 1)


def test_a_fault_while_reading_takes_out_the_inlet_alone(simulate, pendulum):
    bad, state = Received(fail_at_once, None), new_state(last=0.0, time=-1.0, count=0)
    good = Received(read, state)
    simulation = simulate(pendulum, paused=True, idle=False)
    for each in (bad, good):
        simulation.exchange.add_inlet(each.inlet)
        each.waiting.extend([1.0, 2.0])
    simulation.step(3).result(DEADLINE_S)
    assert [type(fault) for fault in bad.faults] == [ValueError]
    assert (state.count, simulation.status().failure) == (2, '')


def test_a_removed_inlet_is_released_once_and_reads_no_more(simulate, pendulum, until):
    state = new_state(last=0.0, time=-1.0, count=0)
    received = Received(read, state)
    simulation = simulate(pendulum, paused=True, idle=False)
    simulation.exchange.add_inlet(received.inlet)
    simulation.exchange.remove_inlet(received.inlet)
    until(lambda: received.released)
    received.waiting.append(1.0)
    simulation.step(3).result(DEADLINE_S)
    assert (state.count, received.released) == (0, 1)


def test_what_a_removed_outlet_had_is_free_without_a_search_for_circles(steady, until):
    def open_files() -> int:
        return len(os.listdir('/proc/self/fd'))

    simulation = steady()
    gc.collect()
    gc.disable()
    try:
        before = open_files()
        sent = Sent(fill, 100.0)
        simulation.exchange.add_outlet(sent.outlet)
        until(lambda: sent.messages)
        assert open_files() == before + 1, 'a ring has an eventfd'
        simulation.exchange.remove_outlet(sent.outlet)
        until(lambda: sent.released)
        until(lambda: open_files() == before)
    finally:
        gc.enable()


def test_each_line_counts_the_messages_since_the_line_before(monkeypatch, caplog):
    monkeypatch.setattr(message_exchange, '_PERIOD_S', 0.0)
    feed, said = SimpleNamespace(name='the feed', left_out=0), LeftOutMessages()
    for count in (0, 3, 3, 8):
        feed.left_out = count
        said.look(feed)
    lines = [record.message.partition(' messages')[0] for record in caplog.records]
    assert lines == [f'the feed cannot keep up: {count}' for count in (3, 5)]
