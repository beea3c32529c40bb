"""The quality of service (QoS) of topics, by what a topic is for.

REP-2003 and the habit of ROS: who publishes offers as much as any subscriber asks for, so that
one that is reliable (rclpy's default) and one that is best effort (sensor data) both get messages.
All keep the last messages only, so a slow subscriber loses messages, and makes nobody wait.
`docs/reference/qos.md` gives the reasons, topic by topic. Without rclpy, where nothing is
published, a profile is its depth.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

try:
    from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
except ImportError:
    QoSProfile = None


def _profile(depth: int, *, latched: bool = False, best_effort: bool = False) -> Any:
    if QoSProfile is None:
        return depth
    policies: dict[str, Any] = {}
    if latched:
        policies['durability'] = DurabilityPolicy.TRANSIENT_LOCAL
    if best_effort:
        policies['reliability'] = ReliabilityPolicy.BEST_EFFORT
    return QoSProfile(depth=depth, **policies)


STATES = _profile(depth=10)
"""For publishers of measurements: joint states, odometry, sensors, diagnostics. Reliable."""
IMAGES = _profile(depth=5)
"""For publishers of images and camera infos. Reliable; the queue is short, as images are large."""
TRANSFORMS = _profile(depth=100)
"""For publishers on /tf, as tf2's broadcaster has it. Reliable."""
LATCHED = _profile(depth=1, latched=True)
"""For publishers of what seldom changes: /tf_static, maps, descriptions. Reliable, and the last
message also reaches later subscribers that ask for it (transient local)."""
CLOCK = _profile(depth=1, best_effort=True)
"""For the publisher of /clock, as the time sources of rclcpp and rclpy expect it. Best effort."""
COMMANDS = _profile(depth=10)
"""For subscribers to commands that are sent once, and of which each one counts: trajectories,
set-points of some of the joints. Reliable: a best-effort publisher is not heard."""
COMMAND_STREAM = _profile(depth=1, best_effort=True)
"""For subscribers to streams of commands, of which each replaces the last: velocities. Best
effort: every publisher is heard, but the first messages of a new one may be lost."""


def profile_to_hear(offered: Iterable[QoSProfile], *, depth: int) -> QoSProfile:
    """Returns the profile for a subscriber that hears all who offer these, and misses nothing.

    It is reliable if all of them are, and gets the last messages of before if all keep these.
    Without any, it hears whoever comes.
    """
    profiles = tuple(offered)
    reliable = bool(profiles) and all(
        each.reliability == ReliabilityPolicy.RELIABLE for each in profiles
    )
    latched = bool(profiles) and all(
        each.durability == DurabilityPolicy.TRANSIENT_LOCAL for each in profiles
    )
    return QoSProfile(
        depth=depth,
        reliability=ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE,
    )
