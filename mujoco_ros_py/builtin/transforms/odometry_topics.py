"""The topics of odometry, of which each belongs to one plugin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import PluginError
from ...plugins import MujocoPlugin


def refuse_shared_topics(
    plugin: MujocoPlugin[Any], ours: Mapping[str, tuple[str, str]], parameters: str
) -> None:
    """Raises PluginError if another plugin publishes odometry on one of the topics.

    `ours` has the frame of the odometry and that of the base by topic, as other plugins tell them
    by an attribute `odometry_topics`. Readers of a topic could not tell two odometries apart.
    """
    for other in plugin.environment.plugins.values():
        told: Mapping[str, tuple[str, str]] = getattr(other, 'odometry_topics', {})
        for topic in filter(told.__contains__, ours):
            (odom, base), (our_odom, our_base) = told[topic], ours[topic]
            raise PluginError(
                f'{other.name} publishes {base} in {odom} on {topic} already, '
                f'and {our_base} in {our_odom} needs another (see {parameters})'
            )
