"""Responses that the middleware does not accept at first."""

from __future__ import annotations

import threading
import warnings

import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.ros.services.response_sender import ResponseSender


@pytest.fixture
def answers():
    with warnings.catch_warnings():
        made = ResponseSender()
        yield made
        made.close()


def dropping(times: int):
    """Returns `send`, which drops a response `times` times, the sent responses, and an event."""
    left, taken, done = [times], [], threading.Event()

    def send(response):
        if left[0]:
            left[0] -= 1
            warnings.warn('failed to send response (timeout): client', RuntimeWarning, 1)
        else:
            taken.append(response)
            done.set()

    return send, taken, done


def test_an_answer_that_was_dropped_is_sent_again_and_once(answers, capsys):
    send, taken, done = dropping(3)
    answers.submit(lambda: 'answer', send)
    assert done.wait(DEADLINE_S)
    answers.flush().result(DEADLINE_S)
    assert taken == ['answer']
    assert capsys.readouterr().err == ''


def test_others_do_not_wait_for_one_that_is_dropped(answers):
    lost, _, lost_done = dropping(10**9)
    send, taken, done = dropping(0)
    answers.submit(lambda: 'lost', lost)
    answers.submit(lambda: 'answer', send)
    assert done.wait(DEADLINE_S)
    assert taken == ['answer']
    assert not lost_done.is_set()


def test_warnings_of_others_are_shown(recwarn, answers):
    warnings.warn('failed to send response, elsewhere', RuntimeWarning, 1)
    warnings.warn('something else', UserWarning, 1)
    said = {str(warning.message) for warning in recwarn}
    assert said == {'failed to send response, elsewhere', 'something else'}
