"""Goals of actions."""

from __future__ import annotations

import sys
from typing import Any

from rclpy.action import ActionClient

from ...errors import NoAnswerError
from ..message_values import as_yaml, read_message
from .client_node import Client

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
