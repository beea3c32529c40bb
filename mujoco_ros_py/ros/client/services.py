"""Calls of services."""

from __future__ import annotations

import sys
from typing import Any

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
