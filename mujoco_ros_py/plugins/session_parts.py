"""What a session has beside its plugins, and what these reach by their environment."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..rendering import RenderLoop
from ..simulation import Simulation, SnapshotFeed
from .ros_interface import NoRos, RosConnection


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionParts:
    """The same for all plugins of a session."""

    simulation: Simulation
    feed: SnapshotFeed
    rendering: RenderLoop | None = None
    """None: the session makes no images."""
    ros: RosConnection = field(default_factory=NoRos)
    frame_prefix: str = ''
    """Stands before the name of each TF frame."""
    protected: bool = False
    """Whether a contestant is being judged, who must not be told the truth about the world."""
