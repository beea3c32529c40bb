"""Runs on the workers of Ray, on this machine or on a cluster."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

from ..errors import SweepError
from .outcome import DIED, FAILED, Outcome
from .run_spec import RunSpec
from .single_run import Files, carry_out

_WAIT_S = 0.2
_STARTS = 3
"""How often a node of Ray is started before it is given up."""
_CANCEL_S = 20.0
_STORE_BYTES = 512 * 2**20
"""The memory in which Ray passes on what is kept of runs; more goes to the disk."""
Ended = tuple[RunSpec, Outcome, Files]


@dataclass
class _Going:
    """A run that a worker has."""

    spec: RunSpec
    attempt: int
    begin: float


class RayWorkers:
    """Has runs carried out by the workers of Ray; `ray_workers` makes it."""

    def __init__(self, library: Any) -> None:
        self._ray = library
        self._task = library.remote(max_retries=0)(carry_out)
        self._going: dict[Any, _Going] = {}

    @property
    def going(self) -> dict[int, float]:
        """The wall time in seconds of each run that goes on, by its number."""
        now = time.monotonic()
        return {each.spec.number: now - each.begin for each in self._going.values()}

    @property
    def places(self) -> float:
        """The number of cores of all nodes that are there now."""
        return float(self._ray.cluster_resources().get('CPU', 0.0))

    def outcomes(self, runs: list[RunSpec], tick: Callable[[], None]) -> Iterator[Ended]:
        """Yields each run with its outcome as it ends; `tick` is called a few times a second.

        A run whose worker has died is begun again, as often as the run says. As many runs go on
        as there are cores for. Raises SweepError if a run needs more than there are.
        """
        if (wanted := max(each.cpus for each in runs)) > self.places:
            raise SweepError(
                f'cpus must be at most {self.places:g}, as Ray has no more; got {wanted:g}'
            )
        waiting = runs[::-1]
        while waiting or self._going:
            while waiting and self._has_place(waiting[-1]):
                self._begin(waiting.pop(), attempt=1)
            tick()
            if not self._going:
                time.sleep(_WAIT_S)  # no node is there
                continue
            ready, _ = self._ray.wait(list(self._going), timeout=_WAIT_S)
            for reference in ready:
                ended = self._taken(reference)
                if ended is not None:
                    yield ended

    def cancel(self) -> None:
        """Ends the runs that go on, and waits until their processes have ended."""
        for reference in self._going:
            with suppress(Exception):  # its worker may be gone
                self._ray.cancel(reference, force=False)
        if self._going:
            self._ray.wait(list(self._going), num_returns=len(self._going), timeout=_CANCEL_S)

    def _has_place(self, spec: RunSpec) -> bool:
        taken = sum(each.spec.cpus for each in self._going.values())
        return taken + spec.cpus <= self.places or not self._going

    def _begin(self, spec: RunSpec, attempt: int) -> None:
        reference = self._task.options(num_cpus=spec.cpus, name=f'run {spec.name}').remote(spec)
        self._going[reference] = _Going(spec, attempt, time.monotonic())

    def _taken(self, reference: Any) -> Ended | None:
        """Returns what has come of a run; None if it was begun again."""
        going = self._going.pop(reference)
        spec = going.spec
        try:
            outcome, files = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            return spec, _lost(going, FAILED, str(error)), {}
        except self._ray.exceptions.RayError as error:  # the worker or its node is gone
            if going.attempt <= spec.retries:
                self._begin(spec, going.attempt + 1)
                return None
            told = f'{type(error).__name__}: {str(error).splitlines()[0]}'
            return spec, _lost(going, DIED, f'the worker has died: {told}'), {}
        return spec, replace(outcome, attempts=outcome.attempts + going.attempt - 1), files


def _lost(going: _Going, verdict: str, reason: str) -> Outcome:
    """Returns the outcome of a run from whose worker none has come."""
    return Outcome(
        number=going.spec.number,
        verdict=verdict,
        reason=reason,
        values=going.spec.values,
        attempts=going.attempt,
        wall_s=time.monotonic() - going.begin,
    )


@contextmanager
def ray_workers(address: str = '', jobs: int = 0) -> Iterator[RayWorkers]:
    """Connects to Ray, and yields its workers; at the end, nothing of it is left running.

    Without an address, Ray is started on this machine, with `jobs` workers or one for each core.
    Raises SweepError if a cluster cannot be reached.
    """
    os.environ.setdefault('RAY_USAGE_STATS_ENABLED', '0')
    if address:
        _use_token()
    import ray

    options: dict[str, Any] = {'address': address}
    if not address:
        options = {
            'address': 'local',
            'num_cpus': jobs or len(os.sched_getaffinity(0)),
            'object_store_memory': _STORE_BYTES,
            'include_dashboard': False,
            '_node_ip_address': '127.0.0.1',  # nobody else can reach it
        }
    _connect(ray, options, address or 'on this machine')
    workers = RayWorkers(ray)
    try:
        yield workers
    finally:
        workers.cancel()
        ray.shutdown()


def _use_token() -> None:
    """Has Ray give its token to the cluster, if there is one; to be called before its import.

    Ray 2.60 demands it of whoever connects to a node that was started where a token is, but does
    not give it by itself to an address. A cluster without a token takes it too.
    """
    kept = os.environ.get('RAY_AUTH_TOKEN_PATH') or os.path.expanduser('~/.ray/auth_token')
    if os.environ.get('RAY_AUTH_TOKEN') or os.path.isfile(kept):
        os.environ.setdefault('RAY_AUTH_MODE', 'token')


def _connect(ray: Any, options: dict[str, Any], where: str) -> None:
    """Connects to Ray. Raises SweepError if that cannot be done.

    Ray gives up a node that has not started after thirty seconds, which a busy machine may need.
    Another one is started then, and what there is of the first ends with this process.
    """
    for left in reversed(range(_STARTS)):
        try:
            ray.init(**options, log_to_driver=False, logging_level='ERROR')
        except Exception as error:  # Ray raises no other class for a node that is late
            ray.shutdown()
            if not left or type(error) is not Exception:
                told = f'Ray cannot be used ({where}): {error}'
                if isinstance(error, ConnectionError) and 'RAY_AUTH_MODE' not in os.environ:
                    told += '; a cluster with a token needs it in ~/.ray/auth_token here too'
                raise SweepError(told) from None
        else:
            return
