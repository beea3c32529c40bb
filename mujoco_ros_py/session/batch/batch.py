"""Many worlds of one configuration, stepped on all cores without the GIL and without ROS."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Integral
from typing import Any

from numpy.typing import ArrayLike

from ...config import SessionConfig, read
from ...config.wording import shown, unknown
from ...errors import ConfigError, EndedError
from ...simulation import InitialState, SavedState
from ..content import GivenContent, PluginList, initial_state
from ..process_memory import give_back
from .batch_world import BatchWorld
from .reports import WarningReport, tell, warn_of_python
from .row_arrays import Array
from .start_state import chosen_worlds, start_arrays, start_state
from .stepped_world import SteppedWorld, check_shared, make_world
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
"""The options whose defaults differ between a batch and a server."""
_MODEL_NAMES = {'modelfile', 'mujoco_xml'}
_OPTIONS = _MODEL_NAMES | {
    'model_modules', 'model_guard', 'model_memory_limit', 'model_time_limit', 'engine_plugins',
    'http_hosts', 'frame_prefix', 'boundscheck', 'strict',
}  # fmt: skip
"""The session options that a batch accepts. A batch has no physics thread, images or reloads."""


class Batch:
    """Steps many worlds of one configuration; each world behaves like a separate `Session`.

    Each world has its own data and plugins and, by default, its own copy of the model. A pool of
    threads steps the worlds without holding the GIL. If a world fails, the other worlds keep
    running. Only one thread at a time can use a batch::

        with Batch('robot.xml', [{'type': 'my_robot/Controller'}], worlds=256) as batch:
            done = batch.rollout(controls)  # controls: an array of shape (256, 100, nu)
            print(done['qpos'].shape)       # (256, 100, nq)
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

        `model`, `plugins`, `positions`, `velocities` and `options` have the same meaning as in
        `Session`; options for threads, images and reloads are not available. `strict` is true by
        default. `record` names the outputs: arrays and numbers of MjData, `state` (the whole
        integration state) and ``<plugin>.<field>`` (a field of a plugin's state).

        `model_values` maps fields of MjModel, or ``opt.<field>``, to arrays whose first axis is
        the world; the constants derived from them are recomputed (`mj_setConst`). `plugin_values`
        maps plugin names to configuration keys, and each key to a sequence with one value per
        world. With `share_model`, all worlds use the same model, and plugins must not write to it.
        `threads` defaults to the number of cores available to the process.

        Raises ConfigError for invalid arguments, ModelError if the model does not compile, and
        PluginError, with the number of the world, if a plugin is not ready.
        """
        threads = len(os.sched_getaffinity(0)) if threads is None else threads
        _check_counts(worlds, threads)
        _check_options(model, options)
        if share_model and model_values:
            raise ConfigError('model_values cannot be combined with share_model')
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
        """Loads the worlds one by one; if a load fails, `close` unloads the worlds before it."""
        models = ModelValues(self._maker.model, model_values, worlds)
        values = PluginValues(self._maker.plugins, plugin_values, worlds)
        for index in range(worlds):
            world = make_world(index, self._maker, models, values, share_model=share_model)
            self._worlds.append(world)
            if share_model:
                check_shared(world.plugins)

    def __len__(self) -> int:
        return len(self._worlds)

    def __getitem__(self, index: int) -> BatchWorld:
        """Returns one world, to inspect or change it between two calls."""
        return BatchWorld(self._worlds[index], self._open)

    def __iter__(self) -> Iterator[BatchWorld]:
        return (BatchWorld(world, self._open) for world in self._worlds)

    @property
    def threads(self) -> int:
        """The number of threads that step the worlds."""
        return self._open.threads

    @property
    def failures(self) -> dict[int, str]:
        """Why worlds failed, by world index. A failed world is not stepped until its reset."""
        return {each.index: each.failure for each in self._worlds if each.failure}

    def step(
        self,
        controls: ArrayLike | None = None,
        count: int = 1,
        *,
        inputs: Mapping[str, object] | None = None,
        out: Mapping[str, Array] | None = None,
    ) -> dict[str, Array]:
        """Steps all worlds `count` times; returns the recorded fields after the last step.

        `controls`, an array of shape (nu,) or (worlds, nu), is written to `data.ctrl` before the
        first step. `inputs` sets other fields by name: input arrays of MjData (``qfrc_applied``,
        ``mocap_pos`` and so on), or ``<plugin>.<field>`` of a plugin's state. The first axis of
        each output is the world; the axes of the field in MjData follow. Pass an earlier result as
        `out` to reuse its arrays.

        Outputs of failed worlds are NaN, or 0 for integers; see `failures` for the reasons. Raises
        ConfigError for arrays of other shapes, and for non-finite numbers in arrays of MjData
        (except ``userdata``).
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
        """Steps `count` times for each row of controls; returns the recorded fields of all rows.

        `controls` has the shape (worlds, rows, nu), or (rows, nu) for the same controls in all
        worlds. Arrays in `inputs` have the same first axes. Without controls and inputs, `rows`
        sets the number of rows.
        The first two axes of each output are the world and the row; the axes of the field in
        MjData follow. Otherwise `rollout` works like `step`.
        """
        return self._run(controls, inputs, rows, count, out, single=False)

    def values(self) -> dict[str, Array]:
        """Returns the current values of the recorded fields in all worlds, without a step.

        After a reset, for example, these are the first observations of the episode.
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
        """Resets worlds (by default all) and their plugins.

        `worlds` is an index, several indices, or an array with one boolean per world. Each world
        starts at the initial joint states, or at a keyframe of the model. `qpos`, `qvel`, `act` or
        a whole `state` override these values; each is one row for all reset worlds, or an array
        with one row for each of these worlds. Failed worlds are stepped again after a reset.

        Raises ConfigError for arrays of other shapes, and SimulationError for an unknown keyframe.
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
        """Saves the state of each world and of its plugins; see `BatchWorld.save`."""
        with self._open.alone():
            return [world.save() for world in self._worlds]

    def restore(self, saved: Sequence[SavedState]) -> None:
        """Restores one saved state per world.

        Raises ConfigError if the number of states differs from the number of worlds, and
        SimulationError for a state of another model.
        """
        if len(saved) != len(self):
            raise ConfigError(f'there must be {len(self)} saved states, got {len(saved)}')
        with self._open.alone():
            for world, each in zip(self._worlds, saved, strict=True):
                world.restore(each)

    def close(self) -> None:
        """Waits until no thread uses the batch, and unloads the plugins; can be called twice."""
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
        raise ConfigError(f'the model is given twice: as model and as {min(twice)}')
