"""The topic of a sensor: what it measures, and beside it the truth if there is noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...messages.topic_qos import STATES
from ...plugins import MujocoPlugin, new_state
from .noise import AxisNoise, noise_rows

TRUTH = 'ground_truth'
"""The last part of the name of a topic without noise."""
Described = tuple[Any, Mapping[str, Any]]
"""A message with all that does not change, and the fields of the state."""


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
        The `options` are those of `Ros.publish`.
        """
        self._stream, self._secret = stream, plugin.environment.noise_secret
        self.state, publisher = _publish(
            plugin, topic, fill, describe(), self._rows(noises, seed), options
        )
        """The record that `fill` reads for the topic with noise."""
        self.publishers = [publisher]
        """What `Ros.publish` returned for the topic, and for that of the truth if there is one."""
        if truth and not plugin.environment.protected:
            silent = self._rows([AxisNoise(type='none')] * len(noises), seed)
            name = f'{topic}/{TRUTH}'
            self.publishers.append(_publish(plugin, name, fill, describe(), silent, options)[1])

    def set_noise(self, noises: Sequence[AxisNoise], seed: int) -> None:
        """Uses other noise from the next message on; called on the physics thread."""
        rows = self._rows(noises, seed)
        for name in rows.dtype.names or ():
            self.state.noise[name] = rows[name]

    def _rows(self, noises: Sequence[AxisNoise], seed: int) -> np.ndarray[Any, Any]:
        return noise_rows(noises, seed, self._stream, self._secret)


def _publish(
    plugin: MujocoPlugin[Any],
    topic: str,
    fill: Any,
    described: Described,
    noise: np.ndarray[Any, Any],
    options: Mapping[str, Any],
) -> tuple[Any, Any]:
    """Publishes one topic; returns the state and the publisher."""
    template, fields = described
    state = new_state(noise=noise, **fields)
    publisher = plugin.ros.publish(
        type(template), topic, STATES, fill=fill, template=template, state=state, **options
    )
    return state, publisher
