"""A server that several tests use, one after the other."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from .harness import free_domain, running_server


class SharedServer:
    """A server for several tests, and its client."""

    def __init__(
        self, folder: Path, parameters: dict[str, Any], environment: dict[str, str]
    ) -> None:
        self._stack = ExitStack()
        domain = self._stack.enter_context(free_domain())
        self.process, self.client = self._stack.enter_context(
            running_server(folder, domain, {'unpause': False, **parameters}, **environment)
        )
        self._at_start = self.client.all_parameters()

    def assign(self, parameters: dict[str, Any]) -> None:
        """Sets parameters, which take effect at the next reload at the latest."""
        if parameters:
            results = self.client.set_parameters(**parameters)
            assert all(result.successful for result in results), results

    def changed_parameters(self) -> list[str]:
        """Returns the names of the parameters whose values differ from those at the start.

        Parameters that were declared since, by plugins and for topics, are gone with them.
        """
        now = self.client.all_parameters()
        return [name for name in now.keys() & self._at_start if now[name] != self._at_start[name]]

    def close(self) -> None:
        """Ends the server."""
        self._stack.close()
