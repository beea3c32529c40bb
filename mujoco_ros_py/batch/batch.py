"""Many worlds of one configuration, stepped on all cores without the GIL and without ROS."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Integral
from typing import Any

from numpy.typing import ArrayLike

from ..config import SessionConfig, read
from ..config.wording import shown, unknown
from ..errors import ConfigError, EndedError
from ..session.content import GivenContent, PluginList, initial_state
from ..session.process_memory import give_back
from ..simulation import InitialState, SavedState
from .batch_world import BatchWorld
from .reports import WarningReport, tell, warn_of_python
from .row_arrays import Array
from .start_state import chosen_worlds, start_arrays, start_state
from .stepped_world import SteppedWorld, make_world
from .varied_values import ModelValues, PluginValues
from .world_maker import WorldMaker
from .world_stepper import CLOSED, WorldStepper

_DEFAULTS = {
    'unpause': False,
    'realtime': -1.0,
    'model_guard': False,
    'render_offscreen': False,
    'update_in_pause': False,
    'strict': True,
}
"""The defaults of a batch; a server has others."""
_MODEL_NAMES = {'modelfile', 'mujoco_xml'}
_OPTIONS = _MODEL_NAMES | {
    'model_modules', 'model_guard', 'model_memory_limit', 'model_time_limit', 'engine_plugins',
    'http_hosts', 'frame_prefix', 'boundscheck', 'strict',
}  # fmt: skip
"""The options that mean something without a physics thread, images and reloads."""


class Batch:
    """Steps many worlds of one configuration; each is what a `Session` of its own would be.

    A world has its own data, its own plugins and, by default, its own copy of the model. Threads
    without the GIL make the steps, and a world that fails leaves the others alone. One thread at a
    time may use a batch::

        with Batch('robot.xml', [{'type': 'my_robot/Controller'}], worlds=256) as batch:
            done = batch.rollout(controls)  # an array of 256 worlds, 100 rows and nu controls
            print(done['qpos'].shape)       # 256, 100, nq
    """

    def __init__(
        self,
        model: Any = None,
        plugins: PluginList = (),
        *,
        worlds: int,
        record: Sequence[str] = ('time', 'qpos', 'qvel'),
        model_values: Mapping[str, Any] | None = None,
        plugin_values: Mapping[str, Mapping[str, Any]] | None = None,
        share_model: bool = False,
        threads: int | None = None,
        positions: Mapping[str, Any] | None = None,
        velocities: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        """Compiles the model once, and loads the plugins of each world.

        `model`, `plugins`, `positions`, `velocities` and the options are those of `Session`, but
        for options of threads, images and reloads; `strict` is true by default. `record` names
        what the outputs have: arrays and numbers of MjData, `state` (the whole integration state)
        and ``<plugin>.<field>`` of a plugin's state.

        `model_values` has arrays by the name of a field of MjModel or ``opt.<field>``, with a
        first axis of worlds; what follows from them (`mj_setConst`) is computed anew.
        `plugin_values` has values of plugins' configurations, by the name of the plugin and the
        key, each a sequence with a value for each world. With `share_model` all worlds use one
        model, which no plugin may write into. `threads` are by default as many as the process has
        cores.

        Raises ConfigError and ModelError, and PluginError, which names the world, where a plugin
        is not ready.
        """
        threads = len(os.sched_getaffinity(0)) if threads is None else threads
        _check_counts(worlds, threads)
        _check_options(model, options)
        if share_model and model_values:
            raise ConfigError('model_values need share_model to be false: worlds have their own')
        config = read(SessionConfig, {**_DEFAULTS, **options})
        self._initial = state = initial_state(positions, velocities)
        self._maker = WorldMaker(GivenContent(config=config).changed(model, plugins, state))
        self._worlds: list[SteppedWorld] = []
        self._stepper: WorldStepper | None = None
        self._warnings = WarningReport()
        try:
            self._load(worlds, model_values or {}, plugin_values or {}, share_model=share_model)
            self._stepper = WorldStepper(self._worlds, record, min(threads, worlds))
        except BaseException:
            self.close()
            raise
        warn_of_python(self._worlds)
        tell(self.failures, worlds)

    def _load(
        self,
        worlds: int,
        model_values: Mapping[str, object],
        plugin_values: Mapping[str, Mapping[str, object]],
        *,
        share_model: bool,
    ) -> None:
        """Loads the worlds one after the other; those of a load that fails are there to close."""
        models = ModelValues(self._maker.model, model_values, worlds)
        values = PluginValues(self._maker.plugins, plugin_values, worlds)
        for index in range(worlds):
            world = make_world(index, self._maker, models, values, share_model=share_model)
            self._worlds.append(world)

    def __len__(self) -> int:
        return len(self._worlds)

    def __getitem__(self, index: int) -> BatchWorld:
        """Returns one world, to look at it and to change it between two calls."""
        return BatchWorld(self._worlds[index], self._open)

    def __iter__(self) -> Iterator[BatchWorld]:
        return (BatchWorld(world, self._open) for world in self._worlds)

    @property
    def threads(self) -> int:
        """The number of threads that make steps."""
        return self._open.threads

    @property
    def failures(self) -> dict[int, str]:
        """The reason why a world is stepped no more, by its number, until it is reset."""
        return {each.index: each.failure for each in self._worlds if each.failure}

    def step(
        self,
        controls: ArrayLike | None = None,
        count: int = 1,
        *,
        inputs: Mapping[str, object] | None = None,
        out: Mapping[str, Array] | None = None,
    ) -> dict[str, Array]:
        """Makes `count` steps of all worlds; returns what is recorded after the last of them.

        `controls` are written into `data.ctrl` before the first step: nu numbers, or an array of
        worlds and nu numbers. `inputs` has others by name: arrays of the data that plugins and
        users set (``qfrc_applied``, ``mocap_pos`` and so on), or ``<plugin>.<field>`` of a
        plugin's state. Each output has a first axis of worlds, and the shape that the field has in
        MjData. With `out`, an earlier result, the arrays are written there.

        The numbers of worlds that have failed are NaN, or 0 for integers; `failures` tells why.
        Raises ConfigError for arrays of other shapes, and for numbers of the data that are not
        finite (but for ``userdata``).
        """
        arrays = self._run(controls, inputs, 1, count, out, single=True)
        return {name: array[:, 0] for name, array in arrays.items()}

    def rollout(
        self,
        controls: ArrayLike | None = None,
        *,
        rows: int | None = None,
        count: int = 1,
        inputs: Mapping[str, object] | None = None,
        out: Mapping[str, Array] | None = None,
    ) -> dict[str, Array]:
        """Makes `count` steps for each row of the controls, and records after each row.

        `controls` is an array of worlds, rows and nu numbers, or of rows and nu numbers for all
        worlds, and `inputs` likewise. Without any of them, `rows` tells how many rows there are.
        Each output has the axes of worlds and rows, then those that the field has in MjData. All
        else is as with `step`.
        """
        return self._run(controls, inputs, rows, count, out, single=False)

    def values(self) -> dict[str, Array]:
        """Returns the recorded numbers of all worlds as they are now, without making a step.

        After a reset, for example, they are those with which the episode begins.
        """
        with self._open.alone() as stepper:
            arrays = stepper.run(None, None, 1, 0, None, single=True)
        return {name: array[:, 0] for name, array in arrays.items()}

    def reset(
        self,
        worlds: int | Iterable[int] | Array | None = None,
        *,
        keyframe: str | None = None,
        qpos: ArrayLike | None = None,
        qvel: ArrayLike | None = None,
        act: ArrayLike | None = None,
        state: ArrayLike | None = None,
    ) -> None:
        """Puts worlds, by default all, back to the start, and tells their plugins.

        `worlds` is a number, or several, or an array of booleans with one for each world. They
        begin with the initial joint states or at a keyframe of the model, and with these numbers,
        if any: positions, velocities, activations or a whole `state`, for all alike or with a row
        for each world that is reset. Worlds that have failed are stepped again.

        Raises ConfigError for arrays of other shapes, and SimulationError for a keyframe that is
        not there.
        """
        chosen = chosen_worlds(worlds, len(self))
        given = {'state': state, 'qpos': qpos, 'qvel': qvel, 'act': act}
        arrays = start_arrays(self._maker.model, len(chosen), given)
        joints = self._initial if keyframe is None else InitialState()
        with self._open.alone() as stepper:
            for row, index in enumerate(chosen):
                start = start_state(joints, arrays, row) if arrays else None
                if self._worlds[index].reset(keyframe, start):
                    stepper.renew(self._worlds[index])
        again = (self._worlds[index] for index in chosen)
        tell({world.index: world.failure for world in again if world.failure}, len(self))

    def save(self) -> list[SavedState]:
        """Saves the state of each world with that of its plugins; see `BatchWorld.save`."""
        with self._open.alone():
            return [world.save() for world in self._worlds]

    def restore(self, saved: Sequence[SavedState]) -> None:
        """Has each world go on from a saved state.

        Raises ConfigError unless there is one for each world, and SimulationError for the state
        of another model.
        """
        if len(saved) != len(self):
            raise ConfigError(f'there must be {len(self)} saved states, got {len(saved)}')
        with self._open.alone():
            for world, each in zip(self._worlds, saved, strict=True):
                world.restore(each)

    def close(self) -> None:
        """Waits for other threads, and unloads the plugins; a second call does nothing."""
        if self._stepper is not None:
            self._stepper.close()
            self._stepper = None
        worlds, self._worlds = self._worlds, []
        for world in worlds:
            world.close()
        self._maker.close()
        del worlds
        give_back()

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def _open(self) -> WorldStepper:
        if self._stepper is None:
            raise EndedError(CLOSED)
        return self._stepper

    def _run(
        self,
        controls: ArrayLike | None,
        inputs: Mapping[str, object] | None,
        rows: int | None,
        count: int,
        out: Mapping[str, Array] | None,
        *,
        single: bool,
    ) -> dict[str, Array]:
        if count < 1:
            raise ConfigError(f'count must be at least 1, got {count}')
        with self._open.alone() as stepper:
            arrays = stepper.run(controls, inputs, rows, count, out, single=single)
            tell(stepper.failed, len(self))
            self._warnings.tell(stepper.warned)
        return arrays


def _check_counts(worlds: int, threads: int) -> None:
    for name, count in (('worlds', worlds), ('threads', threads)):
        if not isinstance(count, Integral) or count < 1:
            raise ConfigError(f'{name} must be a whole number of at least 1, got {shown(count)}')


def _check_options(model: object, options: Mapping[str, object]) -> None:
    for name in options:
        if name not in _OPTIONS:
            raise ConfigError(unknown('option of a batch', name, _OPTIONS))
    if model is not None and (twice := _MODEL_NAMES & options.keys()):
        raise ConfigError(f'the model is given twice: by itself, and as {min(twice)}')
