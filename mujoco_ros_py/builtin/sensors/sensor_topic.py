"""The topic of a sensor: what it measures, and beside it the truth if there is noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...messages.topic_qos import STATES
from ...plugins import MujocoPlugin, new_state
from .noise import AxisNoise, noise_rows

TRUTH = 'ground_truth'
"""The last part of the name of a topic without noise."""


class SensorTopic:
    """Publishes messages that compiled code fills, with noise that may change while it runs.

    `fill(state, model, data, message)` finds a row of noise for each of the `noises` in
    `state.noise`, and the `fields` beside it. If `noises` are given, a second topic
    ``<topic>/ground_truth`` has the same message without noise; in a protected run it is missing.
    """

    def __init__(
        self,
        plugin: MujocoPlugin[Any],
        template: Any,
        topic: str,
        fill: Any,
        *,
        rate_hz: float,
        stream: str,
        noises: Sequence[AxisNoise] = (),
        rows: int = 0,
        seed: int = 0,
        truth: bool = True,
        derived: str = 'sensors',
        thread: bool = False,
        **fields: Any,
    ) -> None:
        """`rows` is the number of rows of noise where no `noises` are given.

        `stream` names the stream of random numbers, and differs from those of all other topics.
        """
        self._stream = stream
        silent = [AxisNoise(type='none')] * (len(noises) or rows or 1)
        self.state = new_state(noise=noise_rows(noises or silent, seed, stream), **fields)
        """The record that `fill` reads."""
        options = {'fill': fill, 'rate_hz': rate_hz, 'template': template, 'derived': derived}
        publish = plugin.ros.publish
        self.publishers = [
            publish(type(template), topic, STATES, state=self.state, thread=thread, **options)
        ]
        """What `Ros.publish` returned for the topic, and for that of the truth if there is one."""
        if noises and truth and not plugin.environment.protected:
            true = new_state(noise=noise_rows(silent, seed, stream), **fields)
            name = f'{topic}/{TRUTH}'
            self.publishers.append(
                publish(type(template), name, STATES, state=true, thread=thread, **options)
            )

    def set_noise(self, noises: Sequence[AxisNoise], seed: int) -> None:
        """Uses other noise from the next message on; called on the physics thread."""
        rows = noise_rows(noises, seed, self._stream)
        for name in np.dtype(rows.dtype).names or ():
            self.state.noise[name] = rows[name]
