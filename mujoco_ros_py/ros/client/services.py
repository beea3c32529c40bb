"""Calls of services, and goals of actions."""

from __future__ import annotations

import sys
from typing import Any

from rclpy.action import ActionClient

from ...errors import NoAnswerError
from ..message_values import as_yaml, read_message
from .client_node import Client

_RESULT_OK = 1
"""The code of success in `simulation_interfaces/msg/Result`."""


def call(client: Client, name: str, request: str) -> bool:
    """Calls a service, prints its answer, and returns whether that is no refusal.

    Raises ConfigError for a request that the type does not allow, and NoAnswerError.
    """
    name = client.full_name(name)
    kind = client.type_of('service', name)
    answer = client.call(kind, name, read_message(kind.Request, request))
    done = _is_done(answer)
    print(_text(answer), file=sys.stdout if done else sys.stderr)
    return done


def _is_done(answer: Any) -> bool:
    code = getattr(getattr(answer, 'result', None), 'result', _RESULT_OK)
    return bool(getattr(answer, 'success', code == _RESULT_OK))


def _text(answer: Any) -> str:
    """Returns the message of an answer that has only that, or else all of it."""
    if set(answer.get_fields_and_field_types()) == {'success', 'message'}:
        return str(answer.message)
    return as_yaml(answer).strip()


_SUCCEEDED = 4
_STATES = {_SUCCEEDED: 'succeeded', 5: 'canceled', 6: 'aborted'}
"""The end states of `action_msgs/msg/GoalStatus`."""


def send_goal(client: Client, name: str, goal: str, *, feedback: bool = False) -> bool:
    """Sends a goal, prints its result, and returns whether it succeeded.

    Ctrl-C cancels the goal. Raises ConfigError for a goal that the type does not allow, and
    NoAnswerError.
    """
    name = client.full_name(name)
    kind = client.type_of('action', name)
    message = read_message(kind.Goal, goal)
    actions: Any = ActionClient(client.node, kind, name)
    if not actions.wait_for_server(client.timeout_s):
        raise NoAnswerError(f'nobody offers the action {name} within {client.timeout_s:g} s')
    tell = (lambda told: print(f'{as_yaml(told.feedback)}---', flush=True)) if feedback else None
    handle = client.result(actions.send_goal_async(message, feedback_callback=tell), name)
    if not handle.accepted:
        print('rejected; the log of the server has the reason', file=sys.stderr)
        return False
    try:
        result = client.finished(handle.get_result_async())
    except KeyboardInterrupt:
        client.result(handle.cancel_goal_async(), name)
        raise
    succeeded = bool(result.status == _SUCCEEDED)
    print(_STATES.get(result.status, 'unknown'), file=sys.stdout if succeeded else sys.stderr)
    print(as_yaml(result.result).strip())
    return succeeded
