"""The services that switch the entries of a timeline on and off."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import mujoco

if TYPE_CHECKING:
    from .imperfections import Imperfections


class EntrySwitch:
    """The callback of a service (std_srvs/SetBool) that switches one entry on or off."""

    def __init__(self, plugin: Imperfections, name: str) -> None:
        self._plugin, self._name = plugin, name

    def __call__(self, request: Any, response: Any) -> Future[Any]:
        """Returns a future of the response; the entry is switched between two steps."""
        answer: Future[Any] = Future()
        plugin, name, active = self._plugin, self._name, bool(request.data)

        def switch(model: mujoco.MjModel, data: mujoco.MjData) -> str:
            if name not in plugin.config.timeline:
                return f'{name} is not in the timeline any more'
            plugin.set_active(name, active)
            return ''

        def reply(done: Future[str]) -> None:
            error = done.exception()
            reason = str(error) if error else done.result()
            response.success = not reason
            response.message = reason or f'{name} {"is active" if active else "has ended"}'
            answer.set_result(response)

        plugin.environment.submit(switch).add_done_callback(reply)
        return answer
