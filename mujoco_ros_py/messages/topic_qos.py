"""The quality of service (QoS) of topics, by what a topic is for.

REP-2003 and the habit of ROS: who publishes offers as much as any subscriber asks for, so that
one that is reliable (rclpy's default) and one that is best effort (sensor data) both get messages.
All keep the last messages only, so a slow subscriber loses messages, and makes nobody wait.
`docs/qos.md` gives the reasons, topic by topic.
"""

from __future__ import annotations

from collections.abc import Iterable

from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

STATES = QoSProfile(depth=10)
"""For publishers of measurements: joint states, odometry, sensors, diagnostics. Reliable."""
IMAGES = QoSProfile(depth=5)
"""For publishers of images and camera infos. Reliable; the queue is short, as images are large."""
TRANSFORMS = QoSProfile(depth=100)
"""For publishers on /tf, as tf2's broadcaster has it. Reliable."""
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
"""For publishers of what seldom changes: /tf_static, maps, descriptions. Reliable, and the last
message also reaches later subscribers that ask for it (transient local)."""
CLOCK = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
"""For the publisher of /clock, as the time sources of rclcpp and rclpy expect it. Best effort."""
COMMANDS = QoSProfile(depth=10)
"""For subscribers to commands that are sent once, and of which each one counts: trajectories,
set-points of some of the joints. Reliable: a best-effort publisher is not heard."""
COMMAND_STREAM = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
"""For subscribers to streams of commands, of which each replaces the last: velocities. Best
effort: every publisher is heard, but the first messages of a new one may be lost."""


def profile_to_hear(offered: Iterable[QoSProfile], *, depth: int) -> QoSProfile:
    """Returns the profile for a subscriber that hears all who offer these, and misses nothing.

    It is reliable if all of them are, and gets the last messages of before if all keep these.
    """
    profiles = tuple(offered)
    reliable = all(each.reliability == ReliabilityPolicy.RELIABLE for each in profiles)
    latched = all(each.durability == DurabilityPolicy.TRANSIENT_LOCAL for each in profiles)
    return QoSProfile(
        depth=depth,
        reliability=ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE,
    )
