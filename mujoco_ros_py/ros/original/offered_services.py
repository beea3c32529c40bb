"""How a service of the original server is offered: permission, work between steps, answer."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

import mujoco
from rclpy.node import Node

from ...errors import EngineError, SimulationError
from ...session import Assembly
from ...simulation import Edit
from ..parameters.server_parameters import Parameters
from ..services.deferred_services import DeferredServices
from ..services.failure_log import FailureLog

Result = TypeVar('Result')
Fill = Callable[[Any, Any], Edit | None]
"""Writes a result into a response; what it returns says what of the request was refused."""


@dataclass(frozen=True, slots=True)
class OfferedServices:
    """The parts of the server that the services use."""

    node: Node
    services: DeferredServices
    assembly: Assembly
    parameters: Parameters

    def offer(
        self,
        kind: Any,
        name: str,
        begin: Callable[[Any], Future[Any]],
        fill: Fill | None = None,
        *,
        protected: bool = True,
    ) -> None:
        """Offers a service in `~/`, whose `begin(request)` returns a future or raises.

        The result of the future may be an `Edit`; another one is written by `fill`. A protected
        service needs the hash in eval_mode: in the request, or before it.
        """
        require = self.parameters.authorization.require

        def permitted(request: Any) -> Future[Any]:
            if protected:
                require(f'~/{name}', name, getattr(request, 'admin_hash', None))
            return begin(request)

        self.services.create(kind, f'~/{name}', permitted, _Answer(name, fill))

    def read(self, function: Callable[[mujoco.MjModel, mujoco.MjData], Result]) -> Future[Result]:
        """Calls `function(model, data)` between two steps, to read something.

        Raises EngineError while the simulation stands still after a fatal error, as the data are
        undefined then.
        """
        if failure := self.assembly.simulation.status().failure:
            raise EngineError(f'nothing is read, reset or reload first: {failure}')
        return self.assembly.simulation.submit(function)

    def frame(self, name: str) -> str:
        """Returns the TF frame of a body or a site, by its whole name in the model."""
        return f'{self.parameters.config.frame_prefix}{name}'


class _Answer:
    """Writes a response, as far as it has the fields `success` and `status_message`."""

    def __init__(self, name: str, fill: Fill | None) -> None:
        self._fill = fill
        self._failures = FailureLog(name)

    def __call__(self, response: Any, result: Any, error: BaseException | None) -> None:
        edit = Edit()
        if error is None:
            edit = result if isinstance(result, Edit) else edit
            edit = (self._fill and self._fill(response, result)) or edit
        if error is not None:
            edit = Edit(refused=[self._failures.tell(error)])
        elif edit.refused:
            self._failures.tell(SimulationError('; '.join(edit.refused)))
        if hasattr(response, 'success'):
            response.success = not edit.refused
        if hasattr(response, 'status_message') and (edit.refused or edit.done):
            response.status_message = edit.message
