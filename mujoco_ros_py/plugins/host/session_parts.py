"""The parts of a session that plugins reach by their environment."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...rendering import RenderLoop
from ...simulation import Simulation, SnapshotFeed
from .ros_connection import NoRos, RosConnection


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionParts:
    """The parts of a session, which are the same for all its plugins."""

    simulation: Simulation
    feed: SnapshotFeed
    rendering: RenderLoop | None = None
    """The render loop; None: the session makes no images."""
    ros: RosConnection = field(default_factory=NoRos)
    frame_prefix: str = ''
    """The prefix of the name of each TF frame."""
    protected: bool = False
    """Whether a contestant is being judged, who must not be told the ground truth."""
    noise_secret: bytes = field(default=b'', repr=False)
    """What the noise of sensors depends on besides its seed, if that may be known."""
