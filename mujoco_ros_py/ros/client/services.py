"""Calls services, and sends goals to actions."""

from __future__ import annotations

import sys
from typing import Any

from rclpy.action import ActionClient

from ...errors import NoAnswerError
from ..message_values import as_yaml, read_message
from .client_node import Client

_RESULT_OK = 1
"""The success code of `simulation_interfaces/msg/Result`."""


def call(client: Client, name: str, request: str) -> bool:
    """Calls a service and prints its response; returns whether the request succeeded.

    Raises ConfigError if the request does not fit the service's type, and NoAnswerError if the
    service does not respond in time.
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
    """Returns `message` if the response has only `success` and `message`, otherwise all fields."""
    if set(answer.get_fields_and_field_types()) == {'success', 'message'}:
        return str(answer.message)
    return as_yaml(answer).strip()


_SUCCEEDED = 4
_STATES = {_SUCCEEDED: 'succeeded', 5: 'canceled', 6: 'aborted'}
"""The final states of `action_msgs/msg/GoalStatus`."""


def send_goal(client: Client, name: str, goal: str, *, feedback: bool = False) -> bool:
    """Sends a goal and prints its result; returns whether it succeeded.

    Ctrl-C cancels the goal. Raises ConfigError if the goal does not fit the action's type, and
    NoAnswerError if the action does not respond in time.
    """
    name = client.full_name(name)
    kind = client.type_of('action', name)
    message = read_message(kind.Goal, goal)
    actions: Any = ActionClient(client.node, kind, name)
    if not actions.wait_for_server(client.timeout_s):
        raise NoAnswerError(f'no node offers the action {name} within {client.timeout_s:g} s')
    tell = (lambda told: print(f'{as_yaml(told.feedback)}---', flush=True)) if feedback else None
    handle = client.result(actions.send_goal_async(message, feedback_callback=tell), name)
    if not handle.accepted:
        print('rejected; the server log has the reason', file=sys.stderr)
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
