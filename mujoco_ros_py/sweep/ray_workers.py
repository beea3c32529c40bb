"""Distributes runs to Ray workers, on this machine or a cluster."""

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
"""The number of attempts to start a Ray node."""
_CANCEL_S = 20.0
_STORE_BYTES = 512 * 2**20
"""The memory in which Ray transfers the kept files of runs; larger amounts go to the disk."""
Ended = tuple[RunSpec, Outcome, Files]


@dataclass
class _Going:
    """A run in progress on a worker."""

    spec: RunSpec
    attempt: int
    begin: float


class RayWorkers:
    """Executes runs on Ray's workers. Create an instance with `ray_workers`."""

    def __init__(self, library: Any) -> None:
        self._ray = library
        self._task = library.remote(max_retries=0)(carry_out)
        self._going: dict[Any, _Going] = {}

    @property
    def going(self) -> dict[int, float]:
        """The wall time in seconds of each run in progress, by its number."""
        now = time.monotonic()
        return {each.spec.number: now - each.begin for each in self._going.values()}

    @property
    def places(self) -> float:
        """The current number of cores on all nodes."""
        return float(self._ray.cluster_resources().get('CPU', 0.0))

    def outcomes(self, runs: list[RunSpec], tick: Callable[[], None]) -> Iterator[Ended]:
        """Yields each run with its outcome when it ends; calls `tick` a few times a second.

        Starts as many runs at once as the cores allow. If a worker dies, its run is started again,
        up to `retries` times. Raises SweepError if a run needs more cores than Ray has.
        """
        if (wanted := max(each.cpus for each in runs)) > self.places:
            raise SweepError(
                f'cpus must be at most {self.places:g}, the number that Ray has; got {wanted:g}'
            )
        waiting = runs[::-1]
        while waiting or self._going:
            while waiting and self._has_place(waiting[-1]):
                self._begin(waiting.pop(), attempt=1)
            tick()
            if not self._going:
                time.sleep(_WAIT_S)  # the cluster has no node now
                continue
            ready, _ = self._ray.wait(list(self._going), timeout=_WAIT_S)
            for reference in ready:
                ended = self._taken(reference)
                if ended is not None:
                    yield ended

    def cancel(self) -> None:
        """Cancels the runs in progress, and waits until their processes have ended."""
        for reference in self._going:
            with suppress(Exception):  # the worker may have died
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
        """Returns the outcome of an ended task; None if its run was started again."""
        going = self._going.pop(reference)
        spec = going.spec
        try:
            outcome, files = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            return spec, _lost(going, FAILED, str(error)), {}
        except self._ray.exceptions.RayError as error:  # the worker or its node died
            if going.attempt <= spec.retries:
                self._begin(spec, going.attempt + 1)
                return None
            told = f'{type(error).__name__}: {str(error).splitlines()[0]}'
            return spec, _lost(going, DIED, f'the worker has died: {told}'), {}
        return spec, replace(outcome, attempts=outcome.attempts + going.attempt - 1), files


def _lost(going: _Going, verdict: str, reason: str) -> Outcome:
    """Returns the outcome of a run whose worker returned none."""
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
    """Connects to Ray and yields its workers; cancels the runs and shuts Ray down at the end.

    Without an address, Ray is started on this machine, with `jobs` workers (0: one per core).
    Raises SweepError if Ray cannot be started or the cluster cannot be reached.
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
            '_node_ip_address': '127.0.0.1',  # closed to other machines
        }
    _connect(ray, options, address or 'on this machine')
    workers = RayWorkers(ray)
    try:
        yield workers
    finally:
        workers.cancel()
        ray.shutdown()


def _use_token() -> None:
    """Makes Ray send this user's token, if any, to the cluster; call it before importing ray.

    In Ray 2.60, a node that was started with a token requires the token from each client, but a
    client that connects to an address does not send it by default. A cluster without a token
    accepts clients that send one.
    """
    kept = os.environ.get('RAY_AUTH_TOKEN_PATH') or os.path.expanduser('~/.ray/auth_token')
    if os.environ.get('RAY_AUTH_TOKEN') or os.path.isfile(kept):
        os.environ.setdefault('RAY_AUTH_MODE', 'token')


def _connect(ray: Any, options: dict[str, Any], where: str) -> None:
    """Connects to Ray. Raises SweepError if the connection fails.

    Ray gives up a node that has not started within thirty seconds, which can happen on a busy
    machine. The start is then repeated; remains of the first node end with this process.
    """
    for left in reversed(range(_STARTS)):
        try:
            ray.init(**options, log_to_driver=False, logging_level='ERROR')
        except Exception as error:  # Ray raises plain Exception for a late node
            ray.shutdown()
            if not left or type(error) is not Exception:
                told = f'Ray cannot be used ({where}): {error}'
                if isinstance(error, ConnectionError) and 'RAY_AUTH_MODE' not in os.environ:
                    told += '; if the cluster has a token, put it in ~/.ray/auth_token here too'
                raise SweepError(told) from None
        else:
            return
