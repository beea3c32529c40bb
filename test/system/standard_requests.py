"""Short calls of the standard services of simulators, in the version that is installed."""

from __future__ import annotations

import re
from typing import Any

import pytest

pytest.importorskip('simulation_interfaces.srv', reason='simulation_interfaces was not built')

from simulation_interfaces import srv
from simulation_interfaces.msg import Result, SimulationState

from .harness import Client

OK = Result.RESULT_OK
STOPPED = SimulationState.STATE_STOPPED
PLAYING = SimulationState.STATE_PLAYING
PAUSED = SimulationState.STATE_PAUSED
SECOND_VERSION = 'entity_resource' in srv.SpawnEntity.Request.get_fields_and_field_types()


def ask(client: Client, kind: str, /, **fields: Any) -> Any:
    """Calls the service of a type, such as `GetEntities`, and returns the answer."""
    return client.call(getattr(srv, kind), service_name(kind), request_of(kind, **fields))


def done(client: Client, kind: str, /, **fields: Any) -> Any:
    """Calls a service that has to succeed, and returns the answer."""
    answer = ask(client, kind, **fields)
    assert answer.result.result == OK, answer.result.error_message
    return answer


def refused(client: Client, kind: str, /, **fields: Any) -> tuple[int, str]:
    """Calls a service, and returns number and message of its result."""
    result = ask(client, kind, **fields).result
    return result.result, result.error_message


def service_name(kind: str) -> str:
    return re.sub('(?<=[a-z])(?=[A-Z])', '_', kind).lower()


def request_of(kind: str, /, **fields: Any) -> Any:
    """Returns a request; `uri` and `resource_string` stand where the version has them."""
    request = getattr(srv, kind).Request()
    for name, value in fields.items():
        holder = request
        if name in ('uri', 'resource_string') and not hasattr(request, name):
            holder = getattr(request, 'world_resource' if 'World' in kind else 'entity_resource')
        setattr(holder, name, value)
    return request


def state_of(client: Client) -> int:
    return int(ask(client, 'GetSimulationState').state.state)


def set_state(client: Client, state: int) -> Any:
    """Returns the result of setting a state."""
    wanted = SimulationState(state=state)
    return ask(client, 'SetSimulationState', state=wanted).result
