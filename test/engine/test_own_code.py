"""Compiled functions in memory: how long they stay, and concurrent requests for them."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from deadline import DEADLINE_S

from mujoco_ros_py.engine import machine_code, own_code


def test_threads_that_ask_for_a_function_at_once_get_the_same_code(monkeypatch):
    """Code kept alive by only one of the threads would be freed while the other thread runs it."""
    loads, asked, going = [], threading.Semaphore(0), threading.Event()
    load = machine_code.load

    def load_slowly(*arguments):
        loads.append(arguments)
        asked.release()
        assert going.wait(DEADLINE_S)
        return load(*arguments)

    def ask():
        asked.release()
        return own_code.function('wake_loop')

    monkeypatch.setattr(machine_code, 'load', load_slowly)
    # A separate cache: clearing the real one would free code that MuJoCo's callbacks point to.
    monkeypatch.setattr(own_code, '_function', cache(own_code._function.__wrapped__))
    with ThreadPoolExecutor(2) as threads:
        answers = [threads.submit(ask) for _ in range(2)]
        for _ in range(3):  # both threads have started, and one of them is loading
            assert asked.acquire(timeout=DEADLINE_S)
        going.set()
        first, second = (answer.result(DEADLINE_S) for answer in answers)
    assert first is second
    assert len(loads) == 1


def test_threads_that_find_a_kept_function_at_once_link_it_once(monkeypatch):
    """If two were linked, one would be freed while other code calls it by address."""
    links, reading, going = [], threading.Semaphore(0), threading.Event()

    def read_slowly(digest):
        reading.release()
        assert going.wait(DEADLINE_S)
        return 'the code'

    def link(code, key):
        links.append(code)
        return machine_code.Loaded(0, object())

    monkeypatch.setattr(machine_code.cache, 'read', read_slowly)
    monkeypatch.setattr(machine_code, '_can_be_linked', bool)
    monkeypatch.setattr(machine_code, '_link', link)
    monkeypatch.setattr(machine_code, '_loaded', {})
    key = machine_code.Key(('asked', 'twice'))
    with ThreadPoolExecutor(2) as threads:
        answers = [threads.submit(machine_code.load_kept, key) for _ in range(2)]
        assert reading.acquire(timeout=DEADLINE_S)
        reading.acquire(timeout=0.2)  # only without a lock does the other thread read too
        going.set()
        first, second = (answer.result(DEADLINE_S) for answer in answers)
    assert first is second
    assert len(links) == 1


def test_a_function_that_other_code_calls_stays_loaded_though_its_code_is_not_kept(monkeypatch):
    """`load` stores no code if a file of the package has changed while the process ran."""
    loaded = machine_code.Loaded(1, object())
    monkeypatch.setattr(machine_code, '_loaded', {})
    monkeypatch.setattr(machine_code, 'load', lambda *_: loaded)
    machine_code.load_separate('a function', lambda: machine_code.Key(('called',)), None)
    machine_code.forget()
    assert list(machine_code._loaded.values()) == [loaded]
