from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any

import pytest
from deadline import DEADLINE_S
from std_srvs.srv import Trigger
from system.harness import wait_until

from mujoco_ros_py.ros.services import deferred
from mujoco_ros_py.ros.services.deferred import DeferredServices

LOST_S = 20.0
"""The time in s after which a service counts as lost."""


def done(result: Any = None, error: BaseException | None = None) -> Future[Any]:
    future: Future[Any] = Future()
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
    return future


def fill(response: Any, result: Any, error: BaseException | None) -> None:
    response.success = error is None
    response.message = str(result) if error is None else f'{type(error).__name__}: {error}'


@pytest.fixture
def soon(monkeypatch) -> None:
    """Shortens the time after which services cancel futures that are not running."""
    monkeypatch.setattr(deferred, 'START_TIMEOUT_S', 0.1)


@pytest.fixture
def offer(new_node) -> Iterator[Callable[..., Callable[[], Any]]]:
    """Returns `offer(begin, fill=fill)`: creates a service, and returns a function to call it."""
    server, caller = new_node('server'), new_node('caller')
    # Fast DDS may lose a service and its client forever if they are created while two nodes
    # discover each other, and in rare cases later too. Then the test creates others.
    for one, other in (server, caller), (caller, server):
        wait_until(lambda a=one, b=other: b.get_name() in a.get_node_names(), 'the other node')
    services = DeferredServices(server, lambda: 'the thread is busy')
    offered: list[str] = []

    def create(begin: Callable[[Any], Any], fill: Callable[..., None] = fill) -> Any:
        def found() -> Any:
            offered.append(f'/server/service_{len(offered)}')
            services.create(Trigger, offered[-1], begin, fill)
            client = caller.create_client(Trigger, offered[-1])
            return client.wait_for_service(LOST_S) and client

        client = wait_until(found, 'the service')
        return lambda: client.call_async(Trigger.Request())

    yield create
    services.close(DEADLINE_S)


def answer(call: Any) -> tuple[bool, str]:
    wait_until(call.done, 'an answer')
    return call.result().success, call.result().message


def test_the_result_of_the_future_becomes_the_answer(offer):
    call = offer(lambda request: done('here'))
    assert answer(call()) == (True, 'here')


def test_the_answer_comes_when_the_future_is_done_and_holds_up_no_other(offer):
    future: Future[str] = Future()
    assert future.set_running_or_notify_cancel()
    slow, quick = offer(lambda request: future), offer(lambda request: done('quick'))
    waiting = slow()
    assert answer(quick()) == (True, 'quick')
    assert not waiting.done()
    future.set_result('slow')
    assert answer(waiting) == (True, 'slow')


def test_a_future_that_fails_is_answered_with_its_error(offer):
    call = offer(lambda request: done(error=ValueError('no such joint')))
    assert answer(call()) == (False, 'ValueError: no such joint')


def test_a_call_that_cannot_begin_is_answered_with_the_error(offer):
    def begin(request: Any) -> Future[Any]:
        raise ValueError('not now')

    assert answer(offer(begin)()) == (False, 'ValueError: not now')


def test_a_future_that_is_cancelled_is_answered_with_what_is_busy(offer):
    future: Future[Any] = Future()
    call = offer(lambda request: future)
    waiting = call()
    assert answer(offer(lambda request: done(future.cancel()))()) == (True, 'True')
    assert answer(waiting) == (False, 'TimeoutError: the thread is busy')


def test_a_future_that_nobody_takes_up_is_withdrawn(soon, offer):
    future: Future[Any] = Future()
    assert answer(offer(lambda request: future)()) == (False, 'TimeoutError: the thread is busy')
    assert not future.set_running_or_notify_cancel()


def test_a_future_that_is_running_is_waited_for(soon, offer):
    idle: Future[Any] = Future()
    running: Future[str] = Future()
    assert running.set_running_or_notify_cancel()
    call = offer(lambda request: running)()
    assert answer(offer(lambda request: idle)())[0] is False, 'what is idle is withdrawn meanwhile'
    assert not call.done()
    running.set_result('at last')
    assert answer(call) == (True, 'at last')


def test_an_answer_that_cannot_be_filled_in_is_sent_with_the_kind_of_error(offer, caplog):
    def fails(response: Any, result: Any, error: BaseException | None) -> None:
        fill(response, result, error)
        if error is None:
            raise KeyError('a field')

    call = offer(lambda request: done('here'), fails)
    with caplog.at_level(logging.ERROR, 'mujoco_ros_py'):
        assert answer(call()) == (False, 'RuntimeError: KeyError')
    (record,) = caplog.records
    assert record.getMessage() == '/server/service_0 could not be answered in full'
    assert record.exc_info[0] is KeyError
    assert answer(offer(lambda request: done('still here'))()) == (True, 'still here')
