"""Faulty followers: their exceptions and delays do not affect others."""

from __future__ import annotations

import threading

import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.simulation import Owner, SnapshotFeed

FAULTS = [RuntimeError, SystemExit, KeyboardInterrupt, GeneratorExit, RecursionError]


@pytest.fixture
def feed(simulate, pendulum):
    feeds = []

    def start(**options) -> SnapshotFeed:
        feeds.append(SnapshotFeed(simulate(pendulum, **options), 1000.0))
        feeds[-1].start()
        return feeds[-1]

    yield start
    for each in feeds:
        each.close()


def raiser(error: type[BaseException]):
    def fail(snapshot):
        raise error('broken')

    return fail


@pytest.mark.parametrize('error', FAULTS)
@pytest.mark.parametrize('realtime', [1.0, -1.0])
def test_a_follower_that_raises_anything_is_its_owners_fault_and_others_go_on(
    feed, until, error, realtime
):
    told, came = [], []
    feed = feed(realtime=realtime)
    owner = Owner(
        "plugin 'bad'", lambda where, error: (told.append((where, error)), owner.close())
    )
    bad, second = (feed.follow(100.0, f, owner) for f in (raiser(error), came.append))
    feed.follow(100.0, lambda snapshot: came.append(snapshot.time))
    until(lambda: told)
    seen = len(came)
    until(lambda: len(came) > seen + 10)
    ((where, raised),) = told
    assert where.endswith('fail')
    assert type(raised) is error
    assert bad.closed
    assert second.closed, 'all of the owner is'


def test_a_follower_of_nobody_that_raises_is_logged_and_gets_no_more(feed, until, caplog):
    feed, came = feed(), []
    bad = feed.follow(100.0, raiser(SystemExit))
    feed.follow(100.0, lambda snapshot: came.append(snapshot.time))
    until(lambda: bad.closed and len(came) > 10)
    (record,) = [each for each in caplog.records if 'will not be called again' in each.message]
    assert record.exc_info[0] is SystemExit


@pytest.mark.parametrize('realtime', [1.0, -1.0])
def test_others_go_on_while_a_follower_does_not_return_and_it_comes_back(feed, until, realtime):
    begun, go_on, feed = threading.Event(), threading.Event(), feed(realtime=realtime)
    times, came = [], []

    def block(snapshot):
        if not begun.is_set():
            before = snapshot.time
            begun.set()
            go_on.wait(DEADLINE_S)
            times.append((before, snapshot.time, snapshot.data.qpos.tolist()))
        times.append(snapshot.time)

    owner = Owner("plugin 'slow'", lambda where, error: None)
    feed.follow(100.0, lambda snapshot: came.append(snapshot.time))
    feed.follow(100.0, block, owner)
    feed.follow(100.0, lambda snapshot: came.append(snapshot.time))
    assert begun.wait(DEADLINE_S)
    until(lambda: "block of plugin 'slow'" in feed.doing())
    feed.leave_behind()
    seen = len(came)
    until(lambda: len(came) > seen + 20)
    (activity,) = owner.busy(0.0)
    assert str(activity).endswith("block of plugin 'slow'")
    assert times == []
    go_on.set()
    until(lambda: len(times) > 5)
    before, after, _ = times[0]
    assert before == after, 'what it sees stays as it is'
    assert owner.busy(1.0) == []
    assert feed.beats is not None


def test_a_follower_that_closes_itself_is_not_called_again(feed, until):
    feed, came, others = feed(), [], []

    def once(snapshot):
        came.append(snapshot.time)
        follower.close()

    follower = feed.follow(100.0, once)
    feed.follow(100.0, others.append)
    until(lambda: came)
    seen = len(others)
    until(lambda: len(others) > seen + 5)
    assert len(came) == 1


def test_a_follower_with_a_thread_of_its_own_holds_up_no_other(feed, until):
    feed, gate, begun, came = feed(), threading.Event(), threading.Event(), []

    def slow(snapshot):
        begun.set()
        gate.wait(DEADLINE_S)

    follower = feed.follow(100.0, slow, thread=True)
    feed.follow(100.0, lambda snapshot: came.append(threading.current_thread().name))
    assert begun.wait(DEADLINE_S)
    seen = len(came)
    until(lambda: len(came) > seen + 50)
    assert 'slow' not in feed.doing()
    gate.set()
    follower.close()


@pytest.mark.parametrize('end', ['each is closed', 'the owner ends'])
def test_many_followers_with_threads_come_and_go_and_leave_nothing(simulate, pendulum, until, end):
    simulation = simulate(pendulum, realtime=-1.0)
    feed, came = SnapshotFeed(simulation, 1000.0), set()
    for _ in range(3):
        owner = Owner("plugin 'many'", lambda where, error: None)
        followers = [
            feed.follow(1000.0, lambda snapshot, n=n: came.add(n), owner, thread=True)
            for n in range(20)
        ]
        until(lambda: len(came) == 20)
        if end == 'the owner ends':
            owner.end()
        else:
            for follower in followers:
                follower.close()
        until(lambda: not any('follower' in each.name for each in threading.enumerate()))
        came.clear()
    assert simulation.between_steps(lambda: simulation._record.receivers).result(DEADLINE_S) == 0


@pytest.mark.parametrize('realtime', [1.0, -1.0])
def test_followers_of_one_rate_are_called_in_the_same_moments_whenever_they_came(
    feed, until, realtime
):
    feed, firsts, seconds = feed(paused=True, realtime=realtime), [], []
    simulation = feed._simulation

    def step(count: int) -> None:
        for _ in range(count):
            simulation.step(1).result(DEADLINE_S)
            until(lambda: feed._receiver.result()._slot.due > simulation.time)

    feed.follow(100.0, lambda snapshot: firsts.append(round(snapshot.time, 9)))
    until(lambda: firsts)
    simulation.step(3).result(DEADLINE_S)
    feed.follow(100.0, lambda snapshot: seconds.append(round(snapshot.time, 9)))
    until(lambda: seconds == [0.006])
    step(27)
    assert {0.01, 0.02, 0.03, 0.04, 0.05, 0.06} <= set(firsts)
    assert {0.01, 0.02, 0.03, 0.04, 0.05, 0.06} <= set(seconds)


@pytest.mark.parametrize('thread', [False, True])
def test_followers_that_come_while_time_runs_begin_on_the_grid(feed, until, thread):
    feed, moments = feed(realtime=1.0), []
    feed.follow(50.0, lambda snapshot: moments.append(snapshot.time))
    until(lambda: len(moments) > 1)
    for _ in range(10):
        times: list[float] = []
        feed.follow(40.0, lambda snapshot, times=times: times.append(snapshot.time), thread=thread)
        until(lambda times=times: times)
        assert times[0] * 40 == pytest.approx(round(times[0] * 40), abs=0.09)  # steps of 2 ms


@pytest.mark.parametrize(('realtime', 'steps'), [(0.05, 50), (1.0, 20)])
def test_a_rate_of_one_kilohertz_is_kept_to_the_step(feed, until, realtime, steps):
    """In real time, a machine that is busy with other things may take away some milliseconds."""
    feed, times = feed(realtime=realtime), []
    feed._simulation.submit(lambda model, data: setattr(model.opt, 'timestep', 0.001)).result(
        DEADLINE_S
    )
    feed.follow(1000.0, lambda snapshot: times.append(round(snapshot.time * 1000)))

    def kept() -> bool:
        seen = times[-1000:]
        return any(b - a == steps for a, b in zip(seen, seen[steps:], strict=False))

    until(kept)
    assert times == sorted(set(times))
