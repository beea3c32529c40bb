"""The topic of a sensor: what it measures, and beside it the truth if there is noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...messages.topic_qos import STATES
from ...plugins import MujocoPlugin, State, new_state
from ...plugins.compiled_code import Memory
from .noise import AxisNoise, noise_rows

TRUTH = 'ground_truth'
"""The last part of the name of a topic without noise."""
Described = tuple[Any, Mapping[str, Any]]
"""A message with all that does not change, and the fields of the state."""
Fields = Mapping[str, Any]
"""The values of the fields of a state, by name."""


def topic_of(plugin: MujocoPlugin[Any], given: str) -> str:
    """Returns the topic that is given, or by default the name of the plugin.

    In a group, the name has the namespace of the group, in which topics are anyway.
    """
    return given or plugin.name.removeprefix(f'{plugin.environment.namespace}/')


class SensorTopic:
    """Publishes messages that compiled code fills, with noise that may change while it runs.

    `fill(state, model, data, message)` finds a row for each of the `noises` in `state.noise`, and
    beside it the fields that `describe` returns. With `truth`, a second topic
    ``<topic>/ground_truth`` has the same messages without noise, unless the run is protected.
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
        """`describe` is called once for each topic, which has a state of its own.

        `stream` names the stream of random numbers, and differs from those of all other topics.
        The `options` are those of `Ros.create_compiled_publisher`.
        """
        self._stream, self._secret = stream, plugin.environment.noise_secret
        self._describe = describe
        self.states: list[Any] = []
        """The records that `fill` reads: that with noise, and that of the truth if it is there."""
        self.publishers: list[Any] = []
        """The publisher of the topic, and that of the truth if there is one."""
        self._begun: list[dict[str, Any]] = []
        self._publish(plugin, topic, fill, self._rows(noises, seed), options)
        if truth and not plugin.environment.protected:
            silent = self._rows([AxisNoise(type='none')] * len(noises), seed)
            self._publish(plugin, f'{topic}/{TRUTH}', fill, silent, options)

    @property
    def state(self) -> Any:
        """The record that `fill` reads for the topic with noise."""
        return self.states[0]

    def read(self, state_of: Callable[[], Any] | None = None) -> Any:
        """Returns the message of this moment, with noise; see `CompiledPublisher.read`."""
        return self.publishers[0].read(state_of)

    def set_noise(self, noises: Sequence[AxisNoise], seed: int) -> None:
        """Uses other noise from the next message on; called on the physics thread."""
        rows = self._rows(noises, seed)
        for name in rows.dtype.names or ():
            self.state.noise[name] = rows[name]

    def adapt(self) -> None:
        """Goes on with what `describe` returns for another model; on the physics thread."""
        for k, (old, publisher) in enumerate(zip(self.states, self.publishers, strict=True)):
            template, fields = self._describe()
            values = carried(old, self._begun[k], fields)
            self.states[k] = new_state(noise=np.array(old.noise), **values)
            self._begun[k] = begun(fields)
            publisher.replace(template=template, state=self.states[k])

    def close(self) -> None:
        """Destroys the publishers of the topic."""
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
        """Publishes one topic, with a state of its own."""
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
    """Returns what the fields begin with, as compiled code may change them."""
    return {name: _content(value) for name, value in fields.items()}


def carried(state: State, before: Fields, fields: Fields) -> dict[str, Any]:
    """Returns the fields of the state that takes the place of another.

    `before` is what the fields of the old one began with. A field that would begin with the same
    is as compiled code has left it; any other is new, such as an id that has moved.
    """
    return {
        name: _left(state, name, value) if _same(before.get(name), value) else value
        for name, value in fields.items()
    }


def _content(value: Any) -> Any:
    """Returns a copy of the numbers; None for what is known by its address alone."""
    if isinstance(value, Memory):
        return value.array.copy()
    return None if hasattr(value, 'address') else np.array(value)


def _same(before: Any, value: Any) -> bool:
    now = _content(value)
    if before is None or now is None or before.shape != now.shape:
        return False
    return bool(np.array_equal(before, now, equal_nan=before.dtype.kind == 'f'))


def _left(state: State, name: str, value: Any) -> Any:
    """Returns a field as compiled code has left it."""
    if isinstance(value, Memory):
        records: Any = state.base
        return records.kept[name]
    return np.array(state[name]) if np.ndim(state[name]) else state[name].item()
