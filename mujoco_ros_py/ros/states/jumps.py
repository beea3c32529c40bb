"""The answers of services that have the simulation go on from another moment."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from ...simulation import Edit, Simulation
from ..services.offered_services import Fill

Result = TypeVar('Result')


def restored(simulation: Simulation, told: str) -> Fill:
    """Returns a function that answers a request to go on from another moment.

    It tells what was done and what did not fit, or why it failed.
    """

    def fill(response: Any, said: Sequence[str] | None) -> Edit:
        failure = simulation.status().failure
        stopped = [f'the simulation stopped: {failure}'] if failure else []
        return Edit(done=[told, *(said or ())], refused=stopped)

    return fill


def at_once(result: Result) -> Future[Result]:
    """Returns a future that is done: the answer does not wait for the physics thread."""
    done: Future[Result] = Future()
    done.set_running_or_notify_cancel()
    done.set_result(result)
    return done
