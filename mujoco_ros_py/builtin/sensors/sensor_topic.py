"""Publishes a sensor's measurements and, for noisy sensors, the noise-free ground truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...plugins import MujocoPlugin, State, new_state
from ...plugins.compiled_code import Memory
from ...plugins.topic_qos import STATES
from .noise import AxisNoise, noise_rows

TRUTH = 'ground_truth'
"""The last part of the name of a ground-truth topic."""
Described = tuple[Any, Mapping[str, Any]]
"""A message template with its constant fields set, and the fields of `fill`'s state."""
Fields = Mapping[str, Any]
"""The fields of a state, by name."""


def topic_of(plugin: MujocoPlugin[Any], given: str) -> str:
    """Returns the configured topic, or the plugin's name if the topic is empty.

    Removes the namespace of the plugin's group from the name, because topics of the group are
    already in that namespace.
    """
    return given or plugin.name.removeprefix(f'{plugin.environment.namespace}/')


class SensorTopic:
    """Publishes messages that compiled code fills; the noise can change at runtime.

    The compiled function is `fill(state, model, data, message)`. Its state has the fields that
    `describe` returns, and `noise`, an array with one row per entry of `noises`. With `truth`, a
    second topic, ``<topic>/ground_truth``, publishes the same messages without noise, except in
    eval_mode.
    """

    def __init__(
        self,
        plugin: MujocoPlugin[Any],
        topic: str,
        fill: Any,
        describe: Callable[[], Described],
        noises: Sequence[AxisNoise],
        *,
        seed: int,
        stream: str,
        truth: bool,
        **options: Any,
    ) -> None:
        """Calls `describe` once per topic, because each topic has its own state.

        `stream` names the stream of random numbers, and must be unique among all topics. The
        `options` are passed to `Ros.create_compiled_publisher`.
        """
        self._stream, self._secret = stream, plugin.environment.noise_secret
        self._describe = describe
        self.states: list[Any] = []
        """The records that `fill` reads: for the noisy topic, then for the ground truth if it is
        published."""
        self.publishers: list[Any] = []
        """The publisher of the noisy topic, then of the ground truth if it is published."""
        self._begun: list[dict[str, Any]] = []
        self._publish(plugin, topic, fill, self._rows(noises, seed), options)
        if truth and not plugin.environment.protected:
            silent = self._rows([AxisNoise(type='none')] * len(noises), seed)
            self._publish(plugin, f'{topic}/{TRUTH}', fill, silent, options)

    @property
    def state(self) -> Any:
        """The record that `fill` reads for the noisy topic."""
        return self.states[0]

    def read(self, state_of: Callable[[], Any] | None = None) -> Any:
        """Returns the current message, with noise; see `CompiledPublisher.read`."""
        return self.publishers[0].read(state_of)

    def set_noise(self, noises: Sequence[AxisNoise], seed: int) -> None:
        """Applies new noise from the next message on; called on the physics thread."""
        rows = self._rows(noises, seed)
        for name in rows.dtype.names or ():
            self.state.noise[name] = rows[name]

    def adapt(self) -> None:
        """Calls `describe` again after a model change, and updates the publishers.

        Called on the physics thread.
        """
        for k, (old, publisher) in enumerate(zip(self.states, self.publishers, strict=True)):
            template, fields = self._describe()
            values = carried(old, self._begun[k], fields)
            self.states[k] = new_state(noise=np.array(old.noise), **values)
            self._begun[k] = begun(fields)
            publisher.replace(template=template, state=self.states[k])

    def close(self) -> None:
        """Destroys all publishers."""
        for publisher in self.publishers:
            publisher.close()

    def _publish(
        self,
        plugin: MujocoPlugin[Any],
        topic: str,
        fill: Any,
        noise: np.ndarray[Any, Any],
        options: Mapping[str, Any],
    ) -> None:
        """Creates the publisher of one topic, with its own state."""
        template, fields = self._describe()
        self._begun.append(begun(fields))
        state = new_state(noise=noise, **fields)
        self.states.append(state)
        self.publishers.append(
            plugin.ros.create_compiled_publisher(
                type(template),
                topic,
                fill,
                qos=STATES,
                template=template,
                state=state,
                **options,
            )
        )

    def _rows(self, noises: Sequence[AxisNoise], seed: int) -> np.ndarray[Any, Any]:
        return noise_rows(noises, seed, self._stream, self._secret)


def begun(fields: Fields) -> dict[str, Any]:
    """Copies the initial values of the fields, because compiled code may change the originals."""
    return {name: _content(value) for name, value in fields.items()}


def carried(state: State, before: Fields, fields: Fields) -> dict[str, Any]:
    """Returns the fields for the state that replaces `state` after a model change.

    `before` has the initial values of the old state, `fields` the initial values for the new
    model. If a field's two values are equal, the field keeps the value that compiled code left in
    the old state. If they differ (an id may have moved, for example), the field gets its new
    initial value.
    """
    return {
        name: _left(state, name, value) if _same(before.get(name), value) else value
        for name, value in fields.items()
    }


def _content(value: Any) -> Any:
    """Copies a field's numbers; returns None for an object that is known only by its address."""
    if isinstance(value, Memory):
        return value.array.copy()
    return None if hasattr(value, 'address') else np.array(value)


def _same(before: Any, value: Any) -> bool:
    now = _content(value)
    if before is None or now is None or before.shape != now.shape:
        return False
    return bool(np.array_equal(before, now, equal_nan=before.dtype.kind == 'f'))


def _left(state: State, name: str, value: Any) -> Any:
    """Returns the value that compiled code left in a field."""
    if isinstance(value, Memory):
        records: Any = state.base
        return records.kept[name]
    return np.array(state[name]) if np.ndim(state[name]) else state[name].item()
