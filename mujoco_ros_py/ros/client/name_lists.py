"""Lists the nodes, services, topics and actions that are running."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

from ...errors import NoAnswerError
from .client_node import Client, Kind, visible

LISTS = ('nodes', 'services', 'topics', 'actions')
_KINDS: dict[str, Kind] = {'services': 'service', 'topics': 'topic', 'actions': 'action'}
_SETTLED_S = 1.0
"""Once the server is discovered, lists that do not change for this many seconds are complete."""
_ALONE_S = 5.0
"""The same while the server is not discovered: the middleware resends lost data after 3 s."""


def list_names(client: Client, wanted: str | None = None) -> None:
    """Prints one or all of `LISTS`, with types. Raises NoAnswerError if nothing is found."""
    told: list[str] = []
    since = time.monotonic()

    def look() -> list[str] | None:
        nonlocal told, since
        lines = sorted(_lines(client, wanted))
        if lines != told:
            told, since = lines, time.monotonic()
        quiet_s = time.monotonic() - since
        complete = quiet_s > _SETTLED_S if _is_known(client) else quiet_s > _ALONE_S
        return lines if lines and complete else None

    try:
        print(*client.wait(look), sep='\n')
    except TimeoutError:
        if not told:
            raise NoAnswerError(
                f'no {wanted or "node"} found within {client.timeout_s:g} s; ROS_DOMAIN_ID and'
                ' the network must match those of the server'
            ) from None
        print(*told, sep='\n')
    if not _is_known(client):
        print(f'the services of {client.server} were not found', file=sys.stderr)


def _is_known(client: Client) -> bool:
    """Returns whether the server's services are discovered, which takes longer than its node."""
    return f'{client.server}/set_parameters' in client.offered('service')


def _lines(client: Client, wanted: str | None) -> Iterator[str]:
    for kind in [wanted] if wanted else LISTS:
        if kind == 'nodes':
            own = client.node.get_name()
            for name, namespace in client.node.get_node_names_and_namespaces():
                if name != own and not name.startswith('_'):  # a hidden node
                    yield f'{"" if wanted else "node     "}{namespace.rstrip("/")}/{name}'
        else:
            names = client.offered(_KINDS[kind])
            for name in visible(names):
                yield f'{"" if wanted else f"{_KINDS[kind]:8} "}{name} [{", ".join(names[name])}]'
