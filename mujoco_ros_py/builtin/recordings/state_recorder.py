"""mujoco_ros_py/Recorder: records a run into an MCAP file that can be replayed."""

from __future__ import annotations

import logging
import os
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from ...errors import PluginError, RecordingError
from ...plugins import (
    Adaptable,
    Hardware,
    ModelChange,
    MujocoPlugin,
    Savable,
    State,
    compiled,
    new_state,
)
from ...recording import (
    AFTER_STEP,
    BEFORE_STEP,
    RecordingFile,
    RowShape,
    check_mcap,
    model_name,
    row_shape,
)
from .file_series import FileSeries
from .recorded_plugins import engine_faults, parameters, recorded_plugins, restore_model, versions
from .recorded_topics import PERIOD_S, RecordedTopics, WaitingMessages
from .recorder_config import RecorderConfig
from .recording_thread import RecordingThread
from .row_ring import RowRing, append_row, has_moved
from .run_writer import RunWriter

_log = logging.getLogger(__name__)

_MIB = 2**20
_AT_ONCE = float('-inf')
_EXACT_S = 1e-9
"""The tolerance of due times, because the time is a sum of rounded timesteps."""


class Recorder(MujocoPlugin[RecorderConfig], Adaptable, Hardware, Savable):
    """Records states, commands, model, plugins, parameters, versions and selected topics.

    Compiled code copies the state into a ring in memory, and a separate thread writes it to the
    file, so steps never wait for the disk.
    """

    nearest = True  # other plugins may change what control callbacks read

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Checks for the required libraries; the file is created once all plugins are loaded."""
        try:
            check_mcap()
        except RecordingError as error:
            raise PluginError(str(error)) from None
        if not self.ros:
            for topic in self.config.topics:
                self.ros.create_subscription(bytes, topic, lambda _: None)  # to list it as absent
        self._thread: RecordingThread | None = None
        self._changing = False
        self._ring = RowRing(row_shape(model, passive=False), 0.0)
        self._files: FileSeries | None = None
        rate = self.config.state_rate
        self.state = new_state(
            active=0,
            steps=0,
            section=-1,
            period=1.0 / rate if rate else 0.0,
            due=_AT_ONCE,
            ring=self._ring.memory,
            numbers=0,
            own=0,
            inputs=0,
            passive=0,
            actuators=0,
            width=0,
            capacity=0,
        )

    @property
    def path(self) -> Path | None:
        """The current file; None until all plugins are loaded."""
        return None if self._files is None else self._files.file.path

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Starts recording to a new file; a recorder that survives a reload continues its file.

        Raises RecordingError if the file cannot be created.
        """
        if self._thread is not None:
            self._begin('load', model, data)
            self._save()
            return
        config = self.config
        given = config.file or f'{self.name}-{time.strftime("%Y%m%d-%H%M%S")}.mcap'
        path = Path(os.path.expanduser(given)).absolute()
        files = FileSeries(path, config.splits, config.max_size * _MIB, self._open)
        self._files = files
        self._messages = WaitingMessages(config.buffer * _MIB)
        save = self.environment.simulation.save
        self._thread = RecordingThread(
            RunWriter(files, self.name, save),
            self.name,
            config.chunk_period,
            self._messages,
            self._save_again,
            self._end,
        )
        self._begin('load', model, data)
        self._save()
        self._thread.start()
        if config.topics and self.ros:
            topics = RecordedTopics(self, config.topics, self._messages)
            self.ros.create_timer(PERIOD_S, topics.look)

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Begins a new section of the recording."""
        self._begin('reset', model, data)
        self._save()

    def save(self) -> Any:
        """Returns the step count and section, which locate a saved state in the recording."""
        return {'steps': int(self.state.steps), 'section': int(self.state.section)}

    def restore(self, saved: Any) -> None:
        """Begins a new section once the data is restored and the plugins are notified."""
        self._begin_soon('restore')

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Begins a section with the new model once all plugins have adapted to it."""
        self._begin_soon('model')

    def model_changed(
        self, model: mujoco.MjModel, data: mujoco.MjData, change: ModelChange
    ) -> None:
        """Begins a section with the changed model once all changes have been made."""
        if not self._changing:
            self._changing = True
            self._begin_soon('model')

    def unload(self) -> None:
        """Writes the remaining data, and closes the file."""
        if self.state is not None:
            self.state.active = 0
        if self._thread is not None:
            self._thread.close()
            self._thread = None

    @staticmethod
    @compiled
    def read_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Records a step's initial state, unless it equals the state after the previous step."""
        if state.active and state.period == 0.0 and has_moved(state, model, data):
            append_row(state, model, data, BEFORE_STEP)

    @staticmethod
    @compiled
    def last_stage_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Records the state after a step."""
        state.steps += 1
        if not state.active:
            return
        if state.period > 0.0:
            early = state.due - data.time
            if _EXACT_S < early <= state.period:
                return
            on_time = -state.period < early <= _EXACT_S
            state.due = (state.due if on_time else data.time) + state.period
        append_row(state, model, data, AFTER_STEP)

    def _open(self, path: Path, most_bytes: float) -> RecordingFile:
        """Opens a file of the recording, and writes the description of the run."""
        config = self.config
        file = RecordingFile(
            path,
            compression=config.compression,
            most_bytes=most_bytes,
            least_free_bytes=config.min_free * _MIB,
        )
        file.describe('versions', versions())
        file.describe('engine_faults', engine_faults())
        if self.ros:
            file.describe('parameters', parameters(self.node))
        _log.info('%s records to %s', self.name, path)
        return file

    def _begin_soon(self, reason: str) -> None:
        """Begins a section after the current command and before the next command."""
        self.environment.submit(lambda model, data: self._begin(reason, model, data))
        self._save()

    def _begin(self, reason: str, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Begins a section; on the physics thread, between two steps."""
        thread, state = self._thread, self.state
        if thread is None or state is None:
            return
        self._changing = False
        passive = self.environment.simulation.passive_forces() is not None
        changing = restore_model(self.environment.plugins, model, data)
        shape = row_shape(model, passive=passive, actuators=changing)
        if shape != self._ring.shape or not state.active:
            self._use(shape)
        self._ring.forget()
        number = state.section = int(state.section) + 1
        state.due = _AT_ONCE
        state.active = 1
        content = np.empty(mujoco.mj_sizeModel(model), np.uint8)
        mujoco.mj_saveModel(model, None, content)
        written = content.tobytes()
        section = {
            'number': number,
            'reason': reason,
            'time': float(data.time),
            'ros_offset': self.environment.simulation.ros_offset,
            'steps': int(state.steps),
            'model': model_name(written),
            'shape': asdict(shape),
            'rate_hz': self.config.state_rate,
            'plugins': recorded_plugins(self.environment.plugins),
        }
        thread.begin(section, written, self._ring)
        self._saved_s = float(data.time)

    def _use(self, shape: RowShape) -> None:
        """Switches to a new ring for rows of another shape."""
        ring, state = RowRing(shape, self.config.buffer * _MIB), self.state
        self._ring = ring  # the recording's thread keeps the old ring until it is empty
        state.ring, state.numbers = ring.memory.address, len(ring.memory.array)
        state.own, state.inputs, state.passive = shape.own, shape.inputs, shape.passive
        state.actuators = shape.actuators
        state.width, state.capacity = shape.width, ring.capacity

    def _save_again(self, time_s: float) -> None:
        """Requests a saved state if due at this simulated time; on the recording's thread."""
        period_s = self.config.save_period
        if period_s and abs(time_s - self._saved_s) >= period_s:
            self._saved_s = time_s
            self._save()

    def _save(self) -> None:
        """Requests saving the state, including plugins, between the next two steps."""
        if self._thread is not None:
            self._thread.add_saved(self.environment.simulation.save())

    def _end(self, reason: str) -> None:
        """Stops the recording but not the simulation; on the recording's thread."""
        if self.state is not None:
            self.state.active = 0
        _log.error('%s: the recording has stopped: %s', self.name, reason)
