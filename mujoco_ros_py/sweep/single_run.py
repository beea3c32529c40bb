"""Executes one run: starts the server and the controllers, steps, and judges the result."""

from __future__ import annotations

import hashlib
import json
import socket
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..errors import EndedError, MujocoRosError, SweepError, TimeLimitError
from ..processes.process_groups import Reaper
from ..testing import serve
from ..testing.process_backend import ProcessBackend
from ..testing.server_process import ServerProcess, variables_for
from ..testing.server_under_test import ServerUnderTest
from ..testing.state import State
from .controller_processes import ControllerProcesses, refused_whole
from .finished_run import judged, write_finished
from .outcome import DIED, FAILED, HUNG, PASSED, Outcome
from .run_measures import RunExpression
from .run_spec import RunSpec
from .run_watch import DONE, RunWatch, Stop
from .value_places import joints_of, model_of, modules_of, of_place, put_into_plugins

RECORDING, LOG, ABOUT = 'recording.mcap', 'server.log', 'run.json'
_PACE_S = 0.002
"""The simulated time between two waits for the wall clock in a real-time run."""
_FADING_S = 1.0
"""How long to wait for the end of a controller after the server has ended, in seconds: the server
may end because a controller has died, before this process notices it."""
Files = dict[str, bytes]
"""The kept files of a run, by file name."""
Visit = Callable[[ServerUnderTest, bool], None]
"""Called with the server and True before the first step, and with False after the last step."""


def carry_out(spec: RunSpec) -> tuple[Outcome, Files]:
    """Executes a run on this machine; returns its outcome and the files to keep.

    A run with a killed process is repeated, up to `retries` times. If a controller refuses an
    integer for a parameter that it declares as a double, the run is repeated with a double: ROS
    parameters have a single type, which the scenario file need not know. Errors of the run are not
    raised, but stored in the outcome.
    """
    attempt = 0
    while True:
        with (
            tempfile.TemporaryDirectory(prefix='mujoco_ros_py_run_') as name,
            closing(Reaper(folders=[Path(name)])),
        ):
            folder = Path(name)
            outcome = replace(run_in(spec, folder), attempts=attempt + 1)
            if not outcome.passed and (more := refused_whole(folder).difference(spec.doubles)):
                spec = replace(spec, doubles=[*spec.doubles, *sorted(more)])
                continue
            if outcome.verdict == DIED and attempt < spec.retries:
                attempt += 1
                continue
            kept = spec.keep == 'all' or (spec.keep == 'failures' and not outcome.passed)
            return outcome, _files(folder) if kept else {}


def run_in(
    spec: RunSpec, folder: Path, visit: Visit | None = None, model: Path | None = None
) -> Outcome:
    """Executes a run once, with its files in `folder`, and calls `visit` with its server.

    `model` is a file with the compiled model; if None, the run's specification names the model.
    """
    begin = time.monotonic()
    run = _Run(spec, folder, visit, model)
    try:
        stop = run.carried_out()
    except SweepError:  # raised by `visit`
        raise
    except TimeLimitError as error:
        stop = Stop(HUNG, str(error))
    except EndedError as error:
        stop = Stop(DIED, str(error))
    except MujocoRosError as error:
        stop = Stop(FAILED, str(error))
    outcome = Outcome(
        number=spec.number,
        verdict=stop.verdict,
        reason=stop.reason,
        values=spec.values,
        measures=run.measures,
        started=run.started,
        time_s=run.state.time if run.state else 0.0,
        state=_hash(run.state),
        wall_s=time.monotonic() - begin,
        host=socket.gethostname(),
    )
    about = {'run': spec.as_written(), 'outcome': outcome.as_written(), 'commands': run.commands}
    (folder / ABOUT).write_text(json.dumps(about, indent=1))
    return outcome


class _Run:
    """A run in progress."""

    def __init__(
        self, spec: RunSpec, folder: Path, visit: Visit | None, model: Path | None
    ) -> None:
        self._spec, self._folder, self._visit, self._model = spec, folder, visit, model
        self.started = False
        """Whether the server was ready for the first step."""
        self.measures: dict[str, Any] = {}
        self.state: State | None = None
        self.commands: list[list[str]] = []
        self._expressions = {
            place: RunExpression(text, place, spec.values) for place, text in spec.expressions()
        }

    def carried_out(self) -> Stop:
        spec = self._spec
        server = serve(
            self._model or model_of(spec), put_into_plugins(spec) + self._recorder(),
            process=True, strict=True, recording_s=0.0,
            start_timeout_s=min(spec.stall_limit, spec.time_limit),
            **joints_of(spec),
            **self._parameters(),
        )  # fmt: skip
        self.started = True
        process = _process(server)
        reaper = Reaper(process.pid, folders=[process.folder])
        try:
            with server:
                try:
                    stop = self._with_controllers(server)
                    if self._visit is not None and stop.verdict == DONE:
                        self._visit(server, False)
                finally:
                    (self._folder / LOG).write_text(server.log)
        finally:
            reaper.close()
        return self._judged(stop, server)

    def _parameters(self) -> dict[str, Any]:
        """Returns the server's parameters: the run's own, and the defaults that a run needs."""
        given = {**self._spec.parameters, **of_place(self._spec, 'parameters')}
        given.pop('realtime', None)
        waits = {'lockstep_timeout': 0.0} if self._spec.lockstep else {}
        return {**waits, **given, 'model_modules': list(modules_of(self._spec))}

    def _recorder(self) -> list[dict[str, Any]]:
        if self._spec.keep == 'nothing' or find_spec('mcap') is None:
            return []
        return [
            {
                'type': 'mujoco_ros_py/Recorder',
                'name': 'sweep_recorder',
                'file': str(self._folder / RECORDING),
                'topics': self._spec.topics,
                'max_size': self._spec.max_recording,
            }
        ]

    def _with_controllers(self, server: ServerUnderTest) -> Stop:
        """Steps the server with the controllers running; returns how the run ended."""
        spec = self._spec
        self.commands = spec.commands()
        variables = {**variables_for(server.domain_id), **spec.environment()}
        if self._visit is not None:
            self._visit(server, True)
        self._see(server.state)
        with (
            ControllerProcesses(self.commands, self._folder, Path(spec.folder), variables) as all_,
            RunWatch(spec, _process(server), all_) as watch,
        ):
            try:
                return self._stepped(server, watch)
            except MujocoRosError as error:
                if watch.stop is not None:  # a stopped server may still answer with errors
                    return watch.stop
                if isinstance(error, EndedError):
                    return watch.ended(_FADING_S) or Stop(DIED, str(error))
                raise

    def _stepped(self, server: ServerUnderTest, watch: RunWatch) -> Stop:
        """Runs all steps, and checks the conditions of the run."""
        spec = self._spec
        timestep = server.model.opt.timestep
        last = max(1, round(spec.until['time'] / timestep))
        per_look = max(1, round(spec.check_period / timestep))
        pace = self._pace()
        per_step = min(per_look, max(1, round(_PACE_S / timestep))) if pace > 0 else per_look
        begin, done = time.monotonic(), 0
        while done < last:
            look = min(last, done + per_look)
            while done < look:
                count = min(per_step, look - done)
                state = server.step(count)
                done += count
                watch.stepped(state.time)
                if pace > 0:
                    time.sleep(max(0.0, begin + done * timestep / pace - time.monotonic()))
            self._see(state)
            if 'until.when' in self._expressions and self._expressions['until.when'].holds:
                break
            if (stop := watch.ended()) is not None:
                return stop
        return Stop(DONE, '')

    def _pace(self) -> float:
        """Returns the simulated seconds per second of wall time; 0 for as fast as possible.

        Without lockstep the default is real time, because the simulation does not wait for the
        controllers' answers.
        """
        usual = 1.0 if self._spec.controllers and not self._spec.lockstep else -1.0
        given = {**self._spec.parameters, **of_place(self._spec, 'parameters')}
        return max(0.0, float(given.get('realtime', usual)))

    def _see(self, state: State) -> None:
        self.state = state
        for expression in self._expressions.values():
            expression.see(state)

    def _judged(self, stop: Stop, server: ServerUnderTest) -> Stop:
        """Returns the verdict on an ended run."""
        spec, state = self._spec, self.state
        assert state is not None
        self.measures = {
            name: self._expressions[f'measures.{name}'].value for name in spec.measures
        }
        if stop.verdict != DONE:
            return stop
        if isinstance(spec.success, str):
            if self._expressions['success'].holds:
                return Stop(PASSED, '')
            return Stop(FAILED, f'success is not true: {spec.success}')
        write_finished(self._folder, spec, server.model, state, self.measures)
        variables = variables_for(server.domain_id)
        try:
            reason = judged(spec, self._folder, variables, spec.time_limit)
        except TimeLimitError as error:
            return Stop(HUNG, str(error))
        except MujocoRosError as error:
            return Stop(FAILED, str(error))
        return Stop(FAILED, reason) if reason else Stop(PASSED, '')


def _process(server: ServerUnderTest) -> ServerProcess:
    assert isinstance(server.backend, ProcessBackend)  # runs use server processes only
    return server.backend.process


def _hash(state: State | None) -> str:
    return '' if state is None else hashlib.sha256(state.sample.values.tobytes()).hexdigest()[:16]


def _files(folder: Path) -> Files:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
