"""Plays the states of a recording in the browser viewer, without ROS."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from typing import Any

import mujoco

from ...errors import RecordingError, ViewerError
from ...viewer import BrowserViewer, ShownModel, ViewerContent, ViewerProcess, send_model
from .. import RecordedRun
from .recorded_models import recorded_model
from .replay_clock import ReplayClock
from .row_steps import RecordedRow
from .shown_states import ShownStates
from .timeline import Timeline

_FRAME_S = 1 / 60
_STATUS_S = 0.1


def play_to_viewer(
    run: RecordedRun,
    announce: Callable[[str], object],
    *,
    rate: float = 1.0,
    start_s: float = float('-inf'),
    end_s: float = float('inf'),
    loop: bool = False,
    tell: Callable[[float], object] = lambda share: None,
) -> None:
    """Shows a recording in the browser viewer until Ctrl-C; calls `announce` with its address.

    `rate` is the number of simulated seconds per second of wall time. The states with simulated
    times from `start_s` to `end_s` are shown. Playback pauses while no page is open. `tell(share)`
    is called with the share of the file read so far, before the viewer starts.

    Raises RecordingError for a recording without states in these times, and ViewerError if the
    viewer does not start or has ended.
    """
    if not 0.0 < rate < float('inf'):
        raise RecordingError(f'the rate of a replay in the viewer must be above 0, got {rate:g}')
    states = ShownStates(run, Timeline(run, tell), start_s, end_s)
    replay = ViewerReplay(run, states, ReplayClock(states.length_s, rate, loop=loop))
    viewer = BrowserViewer(replay, announce, title=run.path.name)
    try:
        viewer.start()
        before = time.monotonic()
        while viewer.runs:
            now = time.monotonic()
            replay.show(now - before)
            before = now
            time.sleep(max(0.0, now + _FRAME_S - time.monotonic()))
    finally:
        viewer.close()
    raise ViewerError('the viewer has ended')


class ViewerReplay(ViewerContent):
    """Sends the states of a recording to a viewer; one thread calls `show`."""

    def __init__(self, run: RecordedRun, states: ShownStates, clock: ReplayClock) -> None:
        self.watched = False
        """Whether a page is open."""
        self._run, self._states, self._clock = run, states, clock
        self._commands: SimpleQueue[Mapping[str, Any]] = SimpleQueue()
        self._process: ViewerProcess | None = None
        self._served: ViewerProcess | None = None
        """The process that `_shown` was sent to."""
        self._shown: ShownModel | None = None
        self._models = 0
        """The number of models sent so far."""
        self._data: mujoco.MjData | None = None
        self._row: RecordedRow | None = None
        """The shown state."""
        self._status_due = 0.0

    def serve(self, process: ViewerProcess | None) -> None:
        """Switches to another viewer process; None stops sending models and states."""
        self._process, self.watched = process, False

    def carry_out(self, message: Mapping[str, object]) -> None:
        """Queues a command of the page; the next `show` carries it out."""
        self._commands.put(message)

    def show(self, wall_s: float) -> None:
        """Advances playback by `wall_s` of wall time, and shows the state at the new position.

        Raises RecordingError if a model cannot be loaded.
        """
        while not self._commands.empty():
            self._clock.carry_out(self._commands.get())
        if self.watched:
            self._clock.advance(wall_s)
        row, process = self._states.at(self._clock.position_s), self._process
        if process is None:
            return
        if process is not self._served:
            self._served, self._shown = process, None
        self._show(process, row)
        if time.monotonic() >= self._status_due:
            self._status_due = time.monotonic() + _STATUS_S
            process.status.write(self._status(row))

    def _show(self, process: ViewerProcess, row: RecordedRow) -> None:
        model, shown = recorded_model(self._run, row.section), self._shown
        if shown is None or shown.model is not model:
            self._models += 1
            shown = send_model(process, model, self._models, self._run.path.name)
            if shown is None:
                return
            self._shown, self._row, self._data = shown, None, mujoco.MjData(model)
        if row is self._row or self._data is None:
            return
        self._row = row
        self._clock.step_s = 1.0 / row.section.rate_hz if row.section.rate_hz else _step_s(model)
        row.section.put(model, self._data, row.numbers)
        shown.show(self._data)

    def _status(self, row: RecordedRow) -> bytes:
        """Returns the status for the page as JSON."""
        clock = self._clock
        status = {
            'time': row.time,
            'steps': row.steps,
            'paused': clock.paused,
            'realtime': clock.rate,
            'factor': clock.rate if self.watched and not clock.paused else 0.0,
            'failure': '',
            'protected': False,
            'answers': list(clock.answers),
            'lateness_us': {},
            'log': [],
            'plugins': [
                {
                    'name': each['name'],
                    'type': each['type'],
                    'state': 'recorded',
                    'reason': '',
                    'costs': {},
                }
                for each in row.section.plugins
            ],
            'recording': {
                'position': clock.position_s,
                'length': clock.length_s,
                'section': self._states.section_told(row),
            },
        }
        return json.dumps(status).encode()


def _step_s(model: mujoco.MjModel) -> float:
    return float(model.opt.timestep)
