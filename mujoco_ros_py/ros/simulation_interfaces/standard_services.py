"""How a standard service is offered: names, permission, work, answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from simulation_interfaces.msg import SimulatorFeatures

from ...errors import MujocoRosError, SimulationError
from ...session import Assembly
from ...simulation import WORLD
from ..entities.node_keeper import NodeKeeper
from ..parameters.server_parameters import Parameters
from ..services.deferred_services import DeferredServices
from ..services.failure_log import FailureLog
from .results import OK, ResultError, code_of, write_result

Fill = Callable[[Any, Any], object]
"""Writes a result into a response; raises MujocoRosError where that is no success."""
Codes = Callable[[BaseException], int]


def settled(result: Any) -> Future[Any]:
    """Returns a future that is done, for what needs no work between two steps."""
    done: Future[Any] = Future()
    done.set_running_or_notify_cancel()
    done.set_result(result)
    return done


def joined(first: Future[Any], then: Callable[[Any], Any]) -> Future[Any]:
    """Returns a future for the result of the first after a short function; one cancels both."""
    joined: Future[Any] = Future()

    def settle(done: Future[Any]) -> None:
        if not joined.set_running_or_notify_cancel():
            return
        try:
            joined.set_result(then(done.result()))
        except Exception as error:  # it becomes the answer
            joined.set_exception(error)

    first.add_done_callback(settle)
    joined.add_done_callback(lambda done: first.cancel() if done.cancelled() else None)
    return joined


@dataclass(frozen=True, slots=True)
class _Told:
    """A result, sentences about what was lost on the way to it, and what has stopped the run."""

    result: Any
    sentences: Sequence[str] = ()
    failure: str = ''


def between_loads(assembly: Assembly, function: Callable[[], Any]) -> Future[Any]:
    """Calls a function on the thread of loads; the answer has what that costs, too."""

    def call() -> _Told:
        sentences: list[str] = []
        assembly.told = sentences
        try:
            return _Told(function(), sentences, assembly.simulation.status().failure)
        finally:
            assembly.told = None

    return assembly.between_loads(call)


@dataclass(frozen=True, slots=True)
class StandardServices:
    """The parts of the server that the services use, and what they make true."""

    keeper: NodeKeeper
    services: DeferredServices
    assembly: Assembly
    parameters: Parameters
    features: set[int] = field(default_factory=set)
    """The numbers of the features that the server has."""

    def names(self, name: str) -> list[str]:
        """Returns the full names of a service or an action."""
        relative = [f'~/{name}', *([name] if self.parameters.config.root_services else [])]
        return [self.keeper.node.resolve_service_name(each) for each in relative]

    def offer(
        self,
        kind: Any,
        name: str,
        begin: Callable[[Any], Future[Any]],
        fill: Fill = lambda response, result: None,
        *,
        free: Callable[[Any], bool] = lambda request: False,
        codes: Codes = code_of,
    ) -> None:
        """Offers a service, whose `begin(request)` returns a future or raises.

        `fill(response, result)` writes the result of the future. In eval_mode a request needs the
        hash unless it is `free`. `codes` gives the number of the result for an error.
        """

        def permitted(request: Any) -> Future[Any]:
            if not free(request):
                self.require(f'~/{name}', name)
            return begin(request)

        for full in self.names(name):
            self.services.create(kind, full, permitted, _Answer(name, fill, codes))

    def require(self, what: str, name: str) -> None:
        """Raises ResultError if the request needs a permission that is not there."""
        try:
            self.parameters.authorization.require(what, name)
        except MujocoRosError as error:
            raise ResultError(str(error)) from error

    def provide(self, *features: str) -> None:
        """Notes that the server has features, by their names in SimulatorFeatures."""
        numbers = (getattr(SimulatorFeatures, feature, None) for feature in features)
        self.features.update(number for number in numbers if number is not None)

    def frame(self, name: str) -> str:
        """Returns the TF frame of a body or a site, by its whole name in the model."""
        return f'{self.parameters.config.frame_prefix}{name}'

    @property
    def world_frame(self) -> str:
        """The TF frame of the world."""
        return self.frame(WORLD)


class _Answer:
    """Writes a response with its result, and logs errors."""

    def __init__(self, name: str, fill: Fill, codes: Codes) -> None:
        self._fill, self._codes = fill, codes
        self._failures = FailureLog(name)

    def __call__(self, response: Any, result: Any, error: BaseException | None) -> None:
        told = result if isinstance(result, _Told) else _Told(result)
        has_result = hasattr(response, 'result')
        if has_result:
            write_result(response.result, OK)
        if error is None:
            try:
                self._fill(response, told.result)  # which may add a message
                if told.failure:
                    raise SimulationError(f'the simulation stopped: {told.failure}')
            except MujocoRosError as refused:
                error = refused
        if not has_result:
            return
        answer = response.result
        if error is not None:
            code = error.code if isinstance(error, ResultError) else self._codes(error)
            write_result(answer, code, self._failures.tell(error))
        if told.sentences:
            sentences = filter(None, (answer.error_message, *told.sentences))
            write_result(answer, answer.result, '; '.join(sentences))
