"""The services of the server itself: reset, reload, set_pause, step, shutdown and so on."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from std_srvs.srv import SetBool, Trigger

from .offered import Fill, OfferedServices, Service


def offer_server_services(offered: OfferedServices, shut_down: Callable[[], Future[None]]) -> None:
    """Offers reset, reload, set_pause, step, shutdown and load_initial_joint_states in `~/`."""
    assembly, simulation = offered.assembly, offered.assembly.simulation

    def told(done: str) -> Fill:
        def fill(response: Trigger.Response, said: Any) -> None:
            failure = simulation.status().failure
            skipped = said if isinstance(said, list) else []
            stopped = [f'but the simulation stopped: {failure}'] if failure else []
            response.success = not failure
            response.message = '; '.join([done, *skipped, *stopped])

        return fill

    def trigger(name: str, begin: Callable[[], Future[Any]], done: str) -> Service:
        return Service(Trigger, name, lambda request: begin(), told(done))

    def write_pause(response: SetBool.Response, _: Any) -> None:
        response.message = 'paused' if simulation.status().paused else 'running'

    def initial_joint_states() -> Future[Any]:
        return simulation.apply_initial_state(offered.parameters.initial_state())

    applied = 'initial joint states applied'
    offered.offer(
        Service(
            SetBool, 'set_pause', lambda request: simulation.set_paused(request.data),
            write_pause, free=lambda request: not request.data, needs='~/set_pause to pause',
        ),
        trigger('reset', simulation.reset, 'reset'),
        trigger('reload', assembly.reload, 'reloaded'),
        trigger('step', simulation.step, 'one step made'),
        trigger('shutdown', shut_down, 'shut down'),
        trigger('load_initial_joint_states', initial_joint_states, applied),
    )  # fmt: skip
