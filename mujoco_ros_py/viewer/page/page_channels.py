"""Connects Studio's viewer with the server, in the process of the viewer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from mujoco.studio import endpoints, messages, sim

from ..link.drawn_geoms import ShownGeoms
from ..link.latest_value import LatestValue
from ..link.server_link import ServerLink
from ..link.state_signature import SHOWN_STATE
from ..link.viewer_socket import ViewerSocket

_PER_CENT = 100.0


@dataclass(frozen=True)
class StatusSnapshot(messages.Snapshot):
    """The status of the simulation and its plugins, from `status_report`."""

    status: dict[str, Any]


class PageChannels(ServerLink):
    """The endpoint of a viewer whose simulation runs in another process.

    The methods are called on the viewer's thread, once per frame.
    """

    def __init__(self, server: ViewerSocket, status: LatestValue) -> None:
        super().__init__(server, status)
        self._shown: ShownGeoms | None = None
        self.endpoint = endpoints.ViewerEndpoint(
            s2v_snapshot=_Channel(self._snapshots),
            s2v_events=_Channel(self._events),
            v2s_events=_Channel(put=self._event),
            v2s_snapshot=_Channel(put=self._changed_here),
        )

    def drawn(self) -> list[mujoco.MjvGeom] | None:
        """Returns the geoms of render callbacks; None if they have not changed."""
        content = self.newest_drawing()
        return None if content is None or self._shown is None else self._shown.read(content)

    def watch(self, watched: bool) -> bool:
        """Reports to the server whether a page is open; returns whether the report was sent."""
        return self._server.send({'watched': watched})

    def _events(self) -> list[messages.Event]:
        """Returns an event with the new model, if any. Raises EOFError if the server has ended."""
        if (newest := self.newest_model()) is None:
            return []
        model, name = newest
        self._shown = ShownGeoms(model)
        return [messages.ModelEvent(model=model, path=name)]

    def _snapshots(self) -> list[messages.Snapshot]:
        found: list[messages.Snapshot] = []
        if (state := self.newest_state()) is not None:
            numbers = np.frombuffer(state)
            found.append(messages.StateSnapshot(state=numbers, state_sig=SHOWN_STATE))
        if (status := self.newest_status()) is not None:
            found += [self._step_control(), StatusSnapshot(status)]
        return found

    def _step_control(self) -> messages.StepControlSnapshot:
        status = self.status
        paused = sim.PauseState.NORMAL_PAUSED if status['paused'] else sim.PauseState.UNPAUSED
        return messages.StepControlSnapshot(
            pause_state=paused,
            speed=max(status['realtime'], 0.0) * _PER_CENT or _PER_CENT,
            speed_measured=status['factor'] * _PER_CENT,
        )

    def _event(self, event: messages.Event) -> None:
        """Sends the user's commands in Studio's own panels to the server."""
        if isinstance(event, messages.SingleStepEvent):
            self.command('step')
        elif isinstance(event, messages.LoadModelEvent):
            self.command('reload')
        elif not isinstance(event, messages.ExitEvent):
            self.note('the viewer cannot change this in the simulation')

    def _changed_here(self, snapshot: messages.Snapshot) -> None:
        """Sends changes of pause or speed in Studio's own panels to the server."""
        if not isinstance(snapshot, messages.StepControlSnapshot) or not self.status:
            return
        paused = snapshot.pause_state != sim.PauseState.UNPAUSED
        if paused != self.status['paused']:
            self.command('pause' if paused else 'run')
        told = self._step_control().speed
        if abs(snapshot.speed - told) > 1e-6 * told:
            self.command('speed', factor=snapshot.speed / _PER_CENT)


class _Channel:
    """A one-way channel for Studio, backed by a function."""

    def __init__(
        self,
        get: Callable[[], list[Any]] = list,
        put: Callable[[Any], None] | None = None,
    ) -> None:
        self.get = get
        self._put = put

    def put(self, value: object) -> None:
        """Passes a message of Studio to the channel's function, if any."""
        if self._put is not None:
            self._put(value)

    def reclaim_unconsumed(self, kind: type[Any]) -> None:
        """Returns nothing, because this channel queues no messages."""

    def close(self) -> None:
        """Does nothing, because the process ends."""
