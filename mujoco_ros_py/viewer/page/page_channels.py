"""What Studio's viewer and the server tell each other, in the process of the viewer."""

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
    """The status of the simulation and of its plugins, as `status_report` makes it."""

    status: dict[str, Any]


class PageChannels(ServerLink):
    """The endpoint of a viewer whose simulation is in another process.

    All is called on the thread of the viewer, once a frame.
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
        """Returns what render callbacks draw; None: the same as before."""
        content = self.newest_drawing()
        return None if content is None or self._shown is None else self._shown.read(content)

    def watch(self, watched: bool) -> bool:
        """Tells the server whether somebody looks; False if it takes no more messages now."""
        return self._server.send({'watched': watched})

    def _events(self) -> list[messages.Event]:
        """Returns the newest model, if there is another one. Raises EOFError at the end."""
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
        """Passes on what the user has asked for in Studio's own panels."""
        if isinstance(event, messages.SingleStepEvent):
            self.command('step')
        elif isinstance(event, messages.LoadModelEvent):
            self.command('reload')
        elif not isinstance(event, messages.ExitEvent):
            self.note('the simulation takes no such changes from the viewer')

    def _changed_here(self, snapshot: messages.Snapshot) -> None:
        """Passes on a change of pause or speed in Studio's own panels."""
        if not isinstance(snapshot, messages.StepControlSnapshot) or not self.status:
            return
        paused = snapshot.pause_state != sim.PauseState.UNPAUSED
        if paused != self.status['paused']:
            self.command('pause' if paused else 'run')
        told = self._step_control().speed
        if abs(snapshot.speed - told) > 1e-6 * told:
            self.command('speed', factor=snapshot.speed / _PER_CENT)


class _Channel:
    """A channel of Studio in one direction, made of a function."""

    def __init__(
        self,
        get: Callable[[], list[Any]] = list,
        put: Callable[[Any], None] | None = None,
    ) -> None:
        self.get = get
        self._put = put

    def put(self, value: object) -> None:
        """Passes a message of Studio on to the function of this channel, if it has one."""
        if self._put is not None:
            self._put(value)

    def reclaim_unconsumed(self, kind: type[Any]) -> None:
        """Returns nothing: no message waits here."""

    def close(self) -> None:
        """Does nothing: the process ends."""
