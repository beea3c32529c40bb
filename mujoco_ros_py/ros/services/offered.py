"""Offers services from a table; one wrapper checks permissions, starts the work and responds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import mujoco
from rclpy.node import Node

from ...config.wording import printable
from ...errors import EngineError, MujocoRosError, SimulationError
from ...session import Assembly
from ...simulation import Edit
from ..parameters.server_parameters import Parameters
from .deferred import Begun, DeferredServices
from .failure_log import FailureLog

Result = TypeVar('Result')
Fill = Callable[[Any, Any], Edit | None]
"""Fills the response; returns a summary of the applied and refused changes. It may take long, and
raises MujocoRosError if the request cannot be granted."""
Begin = Callable[[Any], Future[Any] | tuple[Future[Any], Fill]]
"""Begins the work of a request. Returns its future, optionally with a function that fills only
this response, or raises."""


def settled(result: Any = None) -> Future[Any]:
    """Returns a future that is done, for a response that does not wait for the physics thread."""
    done: Future[Any] = Future()
    done.set_running_or_notify_cancel()
    done.set_result(result)
    return done


def always(request: Any) -> bool:
    """Returns True, for a service whose requests need no permission."""
    return True


@dataclass(frozen=True, slots=True)
class Service:
    """A row of the table of services."""

    type: Any
    name: str
    """The name of the service in `~/`."""
    begin: Begin
    fill: Fill = lambda response, result: None
    """Writes the future's result into the response; an `Edit` is written without this function."""
    free: Callable[[Any], bool] = lambda request: False
    """Returns whether a request is permitted in eval_mode without the admin hash."""
    needs: str = ''
    """The operation that needs the hash, for messages; empty for the service itself."""
    codes: Callable[[BaseException], int] | None = None
    """Returns the standard result code for an error; None for the common codes."""


@dataclass(frozen=True, slots=True)
class Told:
    """A result, and messages about losses, such as failed plugins, and about a fatal failure."""

    result: Any
    sentences: Sequence[str] = ()
    failure: str = ''


@dataclass(frozen=True, slots=True)
class OfferedServices:
    """The parts of the server that the services use."""

    node: Node
    services: DeferredServices
    assembly: Assembly
    parameters: Parameters

    def offer(self, *table: Service) -> None:
        """Offers services, each under all its names."""
        for service in table:
            answer = _Answer(service, self.code)
            for name in self.names(service.name):
                self.services.create(service.type, name, self._permitted(service, answer), answer)

    def names(self, name: str) -> list[str]:
        """Returns the names under which a service is offered."""
        return [f'~/{name}']

    def require(self, what: str, name: str, offered: str | None = None) -> None:
        """Raises SimulationError if a request lacks a permission that it needs.

        `offered` is the hash in the request, or None.
        """
        self.parameters.authorization.require(what, name, offered)

    def code(self, service: Service, error: BaseException | None) -> int:
        """Returns the result code of a call with this error, for types that have a result."""
        return 0

    def read(self, function: Callable[[mujoco.MjModel, mujoco.MjData], Result]) -> Future[Result]:
        """Calls `function(model, data)` between two steps, to read data.

        Raises EngineError while the simulation is stopped after a fatal error, because the data
        are undefined then.
        """
        if failure := self.assembly.simulation.status().failure:
            raise EngineError(
                f'cannot read the state after a fatal error; reset or reload first: {failure}'
            )
        return self.assembly.simulation.submit(function)

    def frame(self, name: str) -> str:
        """Returns the TF frame of a body or a site, by its full name in the model."""
        return f'{self.parameters.config.frame_prefix}{name}'

    def went_on(self, done: str) -> Fill:
        """Returns a `Fill` for requests to continue from another state or with another model.

        The response says `done`, and lists the parts that did not fit or the reason for a failure.
        """

        def fill(response: Any, said: Sequence[str] | None) -> Edit:
            failure = self.assembly.simulation.status().failure
            stopped = [f'the simulation stopped: {failure}'] if failure else []
            return Edit(done=[done, *(said or ())], refused=stopped)

        return fill

    def _permitted(self, service: Service, answer: _Answer) -> Callable[[Any], Begun]:
        """Returns a function that begins the work of a request that has permission."""

        def begin(request: Any) -> Begun:
            if not service.free(request):
                what = service.needs or f'~/{service.name}'
                self.require(what, service.name, getattr(request, 'admin_hash', None))
            begun = service.begin(request)
            return (begun[0], answer.by(begun[1])) if isinstance(begun, tuple) else begun

        return begin


class _Answer:
    """Fills in `result` of a response, or `success` and `message` or `status_message`."""

    def __init__(
        self, service: Service, code: Callable[[Service, BaseException | None], int]
    ) -> None:
        self._codes, self._fill = partial(code, service), service.fill
        self._failures = FailureLog(service.name)

    def by(self, fill: Fill) -> Callable[[Any, Any, BaseException | None], None]:
        """Returns a function that writes one response with another `fill`."""
        return lambda response, result, error: self._write(response, result, error, fill)

    def __call__(self, response: Any, result: Any, error: BaseException | None) -> None:
        self._write(response, result, error, self._fill)

    def _write(self, response: Any, result: Any, error: BaseException | None, fill: Fill) -> None:
        told = result if isinstance(result, Told) else Told(result)
        edit = told.result if isinstance(told.result, Edit) else Edit()
        if hasattr(response, 'result'):
            response.result.result = self._codes(None)
        elif hasattr(response, 'success'):
            response.success = True
        if error is None:
            try:
                edit = fill(response, told.result) or edit  # `fill` may write a message
                if told.failure:
                    raise SimulationError(f'the simulation stopped: {told.failure}')
            except MujocoRosError as refused:
                error = refused
        if hasattr(response, 'result'):
            self._write_result(response.result, told.sentences, error)
        else:
            self._write_success(response, edit, error)

    def _write_result(
        self, result: Any, sentences: Sequence[str], error: BaseException | None
    ) -> None:
        """Writes the code and the message of a standard Result."""
        if error is not None:
            result.result = self._codes(error)
            result.error_message = printable(self._failures.tell(error))
        if sentences:
            said = filter(None, (result.error_message, *sentences))
            result.error_message = printable('; '.join(said))

    def _write_success(self, response: Any, edit: Edit, error: BaseException | None) -> None:
        if error is not None:
            edit = Edit(refused=[self._failures.tell(error)])
        elif edit.refused:
            self._failures.tell(SimulationError('; '.join(edit.refused)))
        if edit.refused and hasattr(response, 'success'):
            response.success = False
        for name in ('message', 'status_message'):
            if hasattr(response, name) and (edit.refused or edit.done):
                setattr(response, name, edit.message)
