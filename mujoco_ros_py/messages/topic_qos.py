"""The quality of service (QoS) of topics, by what a topic is for.

REP-2003 and the habit of ROS: who publishes offers as much as any subscriber asks for, so that
one that is reliable (rclpy's default) and one that is best effort (sensor data) both get messages.
All keep the last messages only, so a slow subscriber costs itself messages, and makes nobody wait.
`docs/qos.md` gives the reasons, topic by topic.
"""

from __future__ import annotations

from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

STATES = QoSProfile(depth=10)
"""Publishes what is measured: joint states, odometry, sensors, diagnostics. Reliable."""
IMAGES = QoSProfile(depth=5)
"""Publishes images and what belongs to them. Reliable, and shallow, as each message is large."""
TRANSFORMS = QoSProfile(depth=100)
"""Publishes on /tf, as tf2's broadcaster does. Reliable."""
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
"""Publishes what seldom changes: /tf_static, maps, descriptions. Reliable, and the last message
also reaches those who subscribe later, if they ask for it (transient local)."""
CLOCK = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
"""Publishes /clock, as rclcpp's and rclpy's time sources subscribe to it. Best effort."""
COMMANDS = QoSProfile(depth=10)
"""Subscribes to commands that are sent once and count each: goals, trajectories, set-points of
some of the joints. Reliable: a best-effort publisher is not heard."""
COMMAND_STREAM = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
"""Subscribes to commands of which each replaces the last, and another follows soon: velocities.
Best effort: every publisher is heard, but the first messages of a new one may be lost."""
