"""All services of a server with types of other packages: the standard, the original, its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from ..session import Assembly
from ..simulation import SavedState
from .entities.node_keeper import NodeKeeper
from .original.original_interface import OriginalInterface
from .parameters.server_parameters import Parameters
from .services.deferred_services import DeferredServices
from .simulation_interfaces.standard_interface import StandardInterface
from .states.state_interface import offer_states


class OfferedInterfaces:
    """The interfaces whose types are there, as long as the server lives."""

    def __init__(
        self,
        keeper: NodeKeeper,
        services: DeferredServices,
        assembly: Assembly,
        parameters: Parameters,
        *,
        shut_down: Callable[[], Future[None]],
        factor: Callable[[], float],
        begin: SavedState | None,
    ) -> None:
        """`shut_down()` ends the server, and `factor()` is the real-time factor of the last while.

        `begin` is the state in which the simulation begins, where that is not the start.
        """
        self._standard = StandardInterface(keeper, services, assembly, parameters, shut_down)
        self._original = OriginalInterface(keeper, services, assembly, parameters, factor)
        offer_states(keeper.node, services, assembly, parameters, begin)

    def close(self) -> None:
        """Aborts the goals of actions that are carried out; the services go on."""
        self._standard.close()
        self._original.close()
