"""Offers the standard services of simulators if their types are installed."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future

from ...plugins.missing_messages import missing_messages
from ..entities.node_keeper import NodeKeeper
from ..services.offered import OfferedServices

try:
    from .entity_book import EntityBook
    from .entity_changes import offer_entity_changes
    from .entity_queries import offer_entity_queries
    from .named_poses import offer_named_poses
    from .run import SimulateStepsAction, offer_run_state
    from .run_state import RunState
    from .services import StandardServices, offer_features
    from .spawnables import offer_spawnables
    from .spawning import offer_spawning
    from .worlds import offer_worlds

    THERE = True
except ImportError:  # simulation_interfaces is missing, or lacks some types
    THERE = False

_log = logging.getLogger(__name__)


class StandardInterface:
    """The standard services and their action, which exist as long as the server runs."""

    def __init__(
        self,
        keeper: NodeKeeper,
        parts: OfferedServices,
        shut_down: Callable[[], Future[None]],
    ) -> None:
        """`shut_down()` ends the server."""
        self._steps: SimulateStepsAction | None = None
        if not THERE:
            effect = 'there are no standard services of simulators'
            _log.info('%s', missing_messages('simulation_interfaces', effect))
            return
        offered = StandardServices.of(parts, keeper)
        state = RunState(parts.assembly, shut_down)
        offer_run_state(offered, state)
        offer_entity_queries(offered, EntityBook())
        offer_entity_changes(offered)
        offer_spawning(offered)
        offer_named_poses(offered)
        offer_spawnables(offered)
        offer_worlds(offered)
        self._steps = SimulateStepsAction(offered, state)
        offer_features(offered)  # last, because the services above register their features

    def close(self) -> None:
        """Aborts the running goal of the action; the services stay."""
        if self._steps is not None:
            self._steps.close()
