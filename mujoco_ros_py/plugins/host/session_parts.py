"""The parts of a session that plugins access through their environment."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...simulation import Simulation, SnapshotFeed
from ...simulation.rendering import RenderLoop
from .ros_connection import NoRos, RosConnection


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionParts:
    """The parts of a session that all its plugins share."""

    simulation: Simulation
    feed: SnapshotFeed
    rendering: RenderLoop | None = None
    """The render loop; None if the session makes no images."""
    ros: RosConnection = field(default_factory=NoRos)
    frame_prefix: str = ''
    """The prefix of all TF frame names."""
    protected: bool = False
    """Whether this is a protected evaluation run, in which ground truth must not be published."""
    noise_secret: bytes = field(default=b'', repr=False)
    """Secret bytes that sensor noise depends on besides its seed; empty in an unprotected run."""
