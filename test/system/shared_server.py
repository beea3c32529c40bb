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
            running_server(folder, domain, parameters, **environment)
        )
        self._at_start = self.client.all_parameters()

    def load(self, parameters: dict[str, Any]) -> None:
        """Sets parameters, and reloads."""
        results = self.client.set_parameters(**parameters) if parameters else []
        assert all(result.successful for result in results), results
        answer = self.client.trigger('reload')
        assert answer.success, answer.message

    def changed_parameters(self) -> list[str]:
        """Returns the names of the parameters that differ from those at the start.

        rclpy leaves the overrides of a topic declared that is gone.
        """
        now = self.client.all_parameters()
        return [
            name
            for name in sorted(now.keys() | self._at_start.keys())
            if now.get(name) != self._at_start.get(name)
            and not (name.startswith('qos_overrides.') and name not in self._at_start)
        ]

    def close(self) -> None:
        """Ends the server."""
        self._stack.close()
