"""Offers the services and the action of the original server if its types are installed."""

from __future__ import annotations

import logging
from collections.abc import Callable

from ...plugins.missing_messages import missing_messages
from ..entities.node_keeper import NodeKeeper
from ..services.offered import OfferedServices

try:
    from .bodies import offer_body_services, offer_world_services
    from .models import offer_equality_services, offer_geom_services
    from .run import offer_run_services
    from .step_action import StepAction

    THERE = True
except ImportError:  # mujoco_ros_msgs is missing, or lacks some of the types
    THERE = False
try:
    from .cameras import offer_camera_services
except ImportError:  # the ROS 2 port of the original server has no types for cameras
    offer_camera_services = None  # type: ignore[assignment]

_log = logging.getLogger(__name__)


class OriginalInterface:
    """The original server's services and action, which exist as long as the server runs."""

    def __init__(
        self,
        keeper: NodeKeeper,
        offered: OfferedServices,
        factor: Callable[[], float],
    ) -> None:
        """`factor()` returns the measured real-time factor."""
        self._step: StepAction | None = None
        if not THERE:
            effect = "there are no services of the original server's types"
            _log.info('%s', missing_messages('mujoco_ros_msgs', effect))
            return
        offer_body_services(offered)
        offer_geom_services(offered)
        offer_equality_services(offered)
        offer_world_services(offered)
        offer_run_services(offered, factor)
        if offer_camera_services is not None:
            offer_camera_services(offered)
        self._step = StepAction(keeper, offered)

    def close(self) -> None:
        """Aborts the running goal of the action; the services stay."""
        if self._step is not None:
            self._step.close()
