from __future__ import annotations

import threading

from deadline import DEADLINE_S, until

from mujoco_ros_py.simulation.threads.callback_thread import Backlog, CallbackThread


def test_a_backlog_keeps_as_many_of_the_newest_arguments_as_its_depth():
    begun, released = threading.Event(), threading.Event()
    called: list[int] = []

    def slow(number: int) -> None:
        called.append(number)
        begun.set()
        assert released.wait(DEADLINE_S)

    thread = CallbackThread('slow')
    backlog = Backlog(thread, slow, depth=3)
    try:
        backlog(0)
        assert begun.wait(DEADLINE_S)
        for number in range(1, 6):
            backlog(number)
        released.set()
        until(lambda: called[-1] == 5, 'the last call')
    finally:
        released.set()
        thread.close()
    assert called == [0, 3, 4, 5]


def test_a_closed_thread_calls_nothing_more():
    thread, called = CallbackThread('closed'), threading.Event()
    thread.run(called.set)
    assert called.wait(DEADLINE_S)
    called.clear()
    thread.close()
    thread.run(called.set)
    assert not called.is_set()
