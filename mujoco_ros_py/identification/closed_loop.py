"""Simulates goals with the user's plugins in the loop, in a batch of worlds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import mujoco
import numpy as np

from ..config.wording import unknown
from ..errors import ConfigError, PluginError
from ..session.batch import Batch
from ..session.content import PluginList
from .adjustable_model import AdjustableModel
from .rollouts import Controls, Job, MeasuredPart, Simulated, Variant
from .sequences import Array, Goal

TRAJECTORY = 'trajectory_msgs/JointTrajectory'
SETTLE_S = 1.0
"""How long the controllers hold the initial state before a sequence begins."""
_HOLD_S = 0.5
"""How long a trajectory before the sequence takes to its last point."""
_KEPT = 3
"""The batches that are kept for the next call, as their plugins take long to load."""


class ClosedLoop:
    """Simulates goals that plugins follow, such as the trajectories of a controller."""

    def __init__(
        self,
        model: AdjustableModel,
        plugins: PluginList,
        topics: Mapping[str, str],
        settle: float,
    ) -> None:
        """`topics` has the plugin for each topic of goals."""
        self._model, self._plugins, self._topics = model, plugins, dict(topics)
        self._settle = max(settle, SETTLE_S)
        self._batches: dict[tuple[int, ...], tuple[Batch, list[Any]]] = {}

    def run(self, jobs: Sequence[Job]) -> list[Simulated]:
        """Returns the simulation of each job.

        The robot rests at the begin of each part, so a delay of all goals only delays the states.
        Raises ConfigError for a goal that a plugin refuses, and PluginError if a plugin fails.
        """
        found: dict[int, Simulated] = {}
        parts = {id(part): part for _, part in jobs}
        for key, part in parts.items():
            places = [k for k, job in enumerate(jobs) if id(job[1]) == key]
            found.update(zip(places, self._run([jobs[k][0] for k in places], part), strict=True))
        return [found[k] for k in range(len(jobs))]

    def _run(self, variants: Sequence[Variant], part: MeasuredPart) -> list[Simulated]:
        batch = self._batch([each.model for each in variants])
        first = variants[0].model
        step, count = float(first.opt.timestep), part.steps(float(first.opt.timestep))
        batch.reset(
            qpos=np.stack([each.positions for each in variants]),
            qvel=np.stack([each.velocities for each in variants]),
        )
        for goal in part.goals:
            if goal.time < part.begin:
                self._take(batch, _held(goal))
        batch.rollout(rows=1, count=max(round(self._settle / step), 1))
        before = batch.values()
        controls = Controls(first, part.commands).over(part.begin, step, count, 0.0)
        rows = list(self._rows(batch, part, step, controls))
        found = {
            name: np.concatenate([before[name][:, None], *(each[name] for each in rows)], axis=1)
            for name in ('qpos', 'qvel', 'sensordata')
        }
        _check(batch)
        times: Array = np.asarray(part.begin + step * np.arange(count + 1), np.float64)
        return [
            Simulated(
                times=np.asarray(times + each.delay),
                positions=found['qpos'][k],
                velocities=found['qvel'][k],
                sensors=found['sensordata'][k, 1:],
            )
            for k, each in enumerate(variants)
        ]

    def find_topics(self) -> Mapping[str, str]:
        """Finds the plugin for each topic on which a plugin takes commands.

        Raises ConfigError if a given topic names an unknown plugin, or one without commands.
        """
        plugins = self._batch([self._model.model])[0].plugins
        taking = {
            name: plugin
            for name, plugin in plugins.items()
            if getattr(plugin, 'take_command', None) is not None
        }
        for topic, name in self._topics.items():
            if name not in taking:
                raise ConfigError(
                    f'goals.{topic}: {unknown("plugin with commands", name, taking)}'
                )
        for name, plugin in taking.items():
            topic = getattr(plugin.config, 'topic', '~/joint_trajectory')
            self._topics.setdefault(plugin.ros.resolve_topic_name(topic), name)
        return self._topics

    def close(self) -> None:
        """Closes the batches."""
        while self._batches:
            self._batches.popitem()[1][0].close()

    def _rows(
        self, batch: Batch, part: MeasuredPart, step: float, controls: Array
    ) -> Iterator[dict[str, Array]]:
        """Yields the results of the steps between goals."""
        count, now = len(controls), 0
        goals = [each for each in part.goals if each.time >= part.begin]
        steps = [int(np.ceil(round((each.time - part.begin) / step, 6))) for each in goals]
        for goal, at in zip([*goals, None], [*steps, count], strict=True):
            if (until := min(at, count)) > now:
                given = controls[now:until] if part.commands else None
                yield batch.rollout(given, rows=until - now)
                now = until
            if goal is not None and now < count:
                self._take(batch, goal)

    def _take(self, batch: Batch, goal: Goal) -> None:
        """Gives a goal to its plugin in each world."""
        name, fields = self._topics[goal.topic], _fields(goal)
        for world in batch:
            plugin: Any = world.plugins[name]
            try:
                plugin.take_command(world.model, world.data, **fields)
            except (ConfigError, TypeError, ValueError) as error:
                raise ConfigError(
                    f'{goal.topic}: plugin {name!r} refuses the message at {goal.time:.3f} s:'
                    f' {error}'
                ) from None

    def _batch(self, models: Sequence[mujoco.MjModel]) -> Batch:
        """Returns worlds with these models; reuses the worlds of an earlier call."""
        key = tuple(map(id, models))
        if key not in self._batches:
            while len(self._batches) >= _KEPT:
                self._batches.pop(next(iter(self._batches)))[0].close()
            batch = Batch(
                self._model.nominal(),
                self._plugins,
                worlds=len(models),
                record=('qpos', 'qvel', 'sensordata'),
                model_values=_differences(self._model.model, models),
            )
            self._batches[key] = batch, list(models)
        return self._batches[key][0]


def _differences(nominal: mujoco.MjModel, models: Sequence[mujoco.MjModel]) -> dict[str, Array]:
    """Returns the numbers that differ from the nominal model, as `model_values` of a batch."""
    found = {}
    for lead, owners in (('', [nominal, *models]), ('opt.', [m.opt for m in (nominal, *models)])):
        for name in _numbers(owners[0].__class__):
            first, *others = (np.asarray(getattr(each, name)) for each in owners)
            if first.dtype.kind == 'f' and any(not np.array_equal(first, o) for o in others):
                found[lead + name] = np.stack(others)
    return found


@cache
def _numbers(kind: type[object]) -> tuple[str, ...]:
    """Returns the names of the attributes of a model or its options that are no methods."""
    return tuple(
        name
        for name in dir(kind)
        if not name.startswith('_') and isinstance(getattr(kind, name), property)
    )


def _check(batch: Batch) -> None:
    if batch.failures:
        raise PluginError(next(iter(batch.failures.values())))


def _held(goal: Goal) -> Goal:
    """Returns a goal before a sequence as one that holds its end."""
    points = goal.message.get('points')
    if goal.kind != TRAJECTORY or not points:
        return goal
    end = {
        **points[-1],
        'velocities': [],
        'accelerations': [],
        'time_from_start': {'sec': 0, 'nanosec': int(_HOLD_S * 1e9)},
    }
    message = {**goal.message, 'points': [end]}
    return Goal(time=goal.time, topic=goal.topic, kind=goal.kind, message=message)


def _fields(goal: Goal) -> dict[str, Any]:
    """Returns the fields of a message as `take_command` of the built-in controllers takes them."""
    message = goal.message
    if goal.kind == TRAJECTORY:
        return {
            'joint_names': list(message['joint_names']),
            'points': [
                {
                    **{key: value for key, value in point.items() if key != 'time_from_start'},
                    'time_from_start': point['time_from_start']['sec']
                    + point['time_from_start']['nanosec'] / 1e9,
                }
                for point in message['points']
            ],
        }
    if 'twist' in message or 'linear' in message:
        twist = message.get('twist', message)
        return {
            'linear_x': twist['linear']['x'],
            'linear_y': twist['linear']['y'],
            'angular_z': twist['angular']['z'],
        }
    return {key: value for key, value in message.items() if key not in ('header', 'layout')}
