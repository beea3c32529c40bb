"""The quality of service (QoS) of topics, by their purpose.

These profiles follow REP-2003 and ROS conventions. Publishers offer as much as any subscriber may
request, so reliable subscribers (rclpy's default) and best-effort subscribers (sensor data) both
receive messages. All profiles keep only the last messages: a slow subscriber loses messages, and
blocks nobody. `docs/reference/qos.md` lists the policies of each topic. Without rclpy, nothing is
published, and each profile is just a number, its depth.
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
"""For publishers of images and camera infos. Reliable; large images need a short queue."""
TRANSFORMS = _profile(depth=100)
"""For publishers on /tf, as in tf2's broadcaster. Reliable."""
LATCHED = _profile(depth=1, latched=True)
"""For publishers of data that seldom change: /tf_static, maps, descriptions. Reliable; later
subscribers that request it also receive the last message (transient local)."""
CLOCK = _profile(depth=1, best_effort=True)
"""For the publisher of /clock, as the time sources of rclcpp and rclpy expect it. Best effort."""
COMMANDS = _profile(depth=10)
"""For subscribers to commands that are sent once and must all arrive: trajectories, set-points of
some of the joints. Reliable: messages of a best-effort publisher do not arrive."""
COMMAND_STREAM = _profile(depth=1, best_effort=True)
"""For subscribers to streams of commands, where each command replaces the last: velocities. Best
effort: messages of every publisher arrive, but the first ones of a new publisher may be lost."""


def profile_to_hear(offered: Iterable[QoSProfile], *, depth: int) -> QoSProfile:
    """Returns the subscriber profile that matches all offered profiles, and loses least.

    It is reliable if all offers are reliable, and receives earlier messages if all offers keep
    them. Without offers, it matches any publisher.
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
