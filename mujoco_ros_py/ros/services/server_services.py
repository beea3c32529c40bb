"""The services of the server: each converts, submits, and converts."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from rclpy.node import Node
from std_srvs.srv import SetBool, Trigger

from ...session import Assembly
from ..parameters.server_parameters import Parameters
from .deferred_services import DeferredServices
from .failure_log import FailureLog


def create_services(
    node: Node,
    assembly: Assembly,
    parameters: Parameters,
    shut_down: Callable[[], Future[None]],
) -> DeferredServices:
    """Offers reset, reload, set_pause, step, shutdown, load_initial_joint_states, in `~/`."""
    services = DeferredServices(node, assembly.busy)
    simulation, require = assembly.simulation, parameters.authorization.require

    def trigger(name: str, begin: Callable[[], Future[Any]], done: str) -> None:
        def permitted(request: Trigger.Request) -> Future[Any]:
            require(f'~/{name}', name)
            return begin()

        answer = _Answer(name, done, lambda: simulation.status().failure)
        services.create(Trigger, f'~/{name}', permitted, answer)

    def set_pause(request: SetBool.Request) -> Future[Any]:
        if request.data:
            require('~/set_pause to pause', 'set_pause')
        return simulation.set_paused(request.data)

    def load_initial_joint_states() -> Future[Any]:
        return simulation.apply_initial_state(parameters.initial_state())

    def pause_state() -> str:
        return 'paused' if simulation.status().paused else 'running'

    services.create(SetBool, '~/set_pause', set_pause, _Answer('set_pause', pause_state))
    trigger('reset', simulation.reset, 'reset')
    trigger('reload', assembly.reload, 'reloaded')
    trigger('step', simulation.step, 'one step made')
    trigger('shutdown', shut_down, 'shut down')
    trigger('load_initial_joint_states', load_initial_joint_states, 'initial joint states applied')
    return services


class _Answer:
    """Writes the fields `success` and `message` of a response, and logs an error."""

    def __init__(
        self,
        name: str,
        done: str | Callable[[], str],
        failure: Callable[[], str] = lambda: '',
    ) -> None:
        self._done, self._failure = done, failure
        self._failures = FailureLog(name)

    def __call__(self, response: Any, result: Any, error: BaseException | None) -> None:
        failure = self._failure()
        response.success = error is None and not failure
        if error is None:
            done = self._done if isinstance(self._done, str) else self._done()
            skipped = result if isinstance(result, list) else []
            stopped = [f'but the simulation stopped: {failure}'] if failure else []
            response.message = '; '.join([done, *skipped, *stopped])
            return
        response.message = self._failures.tell(error)
