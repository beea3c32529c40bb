"""How a service with types of its own is offered: permission, work between steps, answer."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

import mujoco
from rclpy.node import Node

from ...errors import EngineError, MujocoRosError, SimulationError
from ...session import Assembly
from ...simulation import Edit
from ..parameters.server_parameters import Parameters
from .deferred_services import Begun, DeferredServices
from .failure_log import FailureLog

Result = TypeVar('Result')
Fill = Callable[[Any, Any], Edit | None]
"""Writes a result into a response; what it returns says what was done and refused."""


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
        begin: Callable[[Any], Future[Any] | tuple[Future[Any], Fill]],
        fill: Fill | None = None,
        *,
        protected: bool = True,
    ) -> None:
        """Offers a service in `~/`, whose `begin(request)` returns a future or raises.

        With the future, it may return how this call is answered in place of `fill`.
        The result of the future may be an `Edit`; another one is written by `fill`, which may take
        long, and raises where the request cannot be granted. A protected
        service needs the hash in eval_mode: in the request, or before it.
        """
        require = self.parameters.authorization.require

        failures = FailureLog(name)

        def permitted(request: Any) -> Begun:
            if protected:
                require(f'~/{name}', name, getattr(request, 'admin_hash', None))
            begun = begin(request)
            return (begun[0], _Answer(failures, begun[1])) if isinstance(begun, tuple) else begun

        self.services.create(kind, f'~/{name}', permitted, _Answer(failures, fill))

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
    """Writes a response, as far as it has `success`, and `message` or `status_message`."""

    def __init__(self, failures: FailureLog, fill: Fill | None) -> None:
        self._failures, self._fill = failures, fill

    def __call__(self, response: Any, result: Any, error: BaseException | None) -> None:
        edit = Edit()
        if error is None:
            edit = result if isinstance(result, Edit) else edit
            try:
                edit = (self._fill and self._fill(response, result)) or edit
            except MujocoRosError as refusal:
                error = refusal
        if error is not None:
            edit = Edit(refused=[self._failures.tell(error)])
        elif edit.refused:
            self._failures.tell(SimulationError('; '.join(edit.refused)))
        if hasattr(response, 'success'):
            response.success = not edit.refused
        for name in ('message', 'status_message'):
            if hasattr(response, name) and (edit.refused or edit.done):
                setattr(response, name, edit.message)
