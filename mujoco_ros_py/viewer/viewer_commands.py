"""Carries out the commands of viewer users in the same way as the services."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

import mujoco

from ..config.wording import summary, unknown
from ..errors import MujocoRosError, SimulationError
from ..log_throttle import Throttle, subject_of
from ..plugins.host import switch
from ..session import Assembly
from .body_push import BodyPush

_log = logging.getLogger(__name__)
_MOST_ANSWERS = 3
_PAUSE_OR_RUN = 'pause or run'
"""The command that toggles between pause and run."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerCommands:
    """The functions that differ between a server and a session without ROS."""

    require: Callable[[str, str], None]
    """Called before a command, with its description and the equivalent service; raises
    SimulationError if the command is not permitted."""
    set_realtime: Callable[[float], object]
    """Sets the real-time factor, immediately or through the returned future; raises ConfigError
    for an invalid factor."""


class ViewerCommands:
    """Carries out commands of the page, off the physics thread; never blocks.

    Only one command of each kind runs at a time. Until it is done, further commands of this kind
    are refused.
    """

    def __init__(
        self,
        assembly: Assembly,
        server: ServerCommands,
        models: Callable[[int], mujoco.MjModel | None],
    ) -> None:
        """`models(number)` returns the page's model with this number; None if it was replaced."""
        self._assembly = assembly
        self._server = server
        self._models = models
        self.push = BodyPush(assembly.simulation)
        """The force on the dragged body."""
        self._throttle = Throttle()
        self._pending: dict[str, Future[Any]] = {}
        self.answers: tuple[str, ...] = ()
        """Messages about the last commands, newest last."""
        self._known: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
            'pause': self._pause,
            'run': lambda _: assembly.simulation.set_paused(False),
            'step': self._step,
            'reset': self._reset,
            'reload': self._reload,
            'speed': self._set_speed,
            'switch': self._switch,
            'push': self._push,
            'release': lambda _: self.push.release(),
        }

    def carry_out(self, message: Mapping[str, object]) -> None:
        """Starts a command; errors become messages in `answers`."""
        name = str(message.get('command'))[:40]
        if name == _PAUSE_OR_RUN:
            name = 'run' if self._will_be_paused() else 'pause'
        begin = self._known.get(name)
        pending = self._pending.get(name)
        if begin is None:
            return self._answer(f'{name}: unknown command')
        if pending is not None and not pending.done():
            return self._answer(f'{name}: the previous command is not done yet')
        try:
            begun = begin(message)
        except (MujocoRosError, TypeError, ValueError, KeyError) as error:
            return self._answer(f'{name}: {_reason(error)}')
        if isinstance(begun, Future):
            self._pending[name] = begun
            begun.add_done_callback(lambda done: self._tell(name, done))
        elif name not in ('push', 'release'):
            self._answer(f'{name}: done')
        return None

    def _will_be_paused(self) -> bool:
        """Returns whether the simulation will be paused after the pending commands."""
        for name, paused in ('run', False), ('pause', True):
            if name in self._pending and not self._pending[name].done():
                return paused
        return self._assembly.simulation.paused

    def _push(self, message: Mapping[str, Any]) -> None:
        if self._assembly.parts.protected:
            raise SimulationError('bodies cannot be dragged in eval_mode')
        model = self._models(int(message['model']))
        if model is not None:  # otherwise the page gets a newer model soon
            self.push.push(model, message)

    def _pause(self, _: Mapping[str, object]) -> Future[None]:
        self._server.require('pausing by the viewer', 'set_pause')
        return self._assembly.simulation.set_paused(True)

    def _step(self, _: Mapping[str, object]) -> Future[None]:
        self._server.require('a step by the viewer', 'step')
        return self._assembly.simulation.step()

    def _reset(self, message: Mapping[str, object]) -> Future[list[str]]:
        self._server.require('a reset by the viewer', 'reset')
        return self._assembly.simulation.reset(str(message.get('keyframe', '')) or None)

    def _reload(self, _: Mapping[str, object]) -> Future[list[str]]:
        self._server.require('a reload by the viewer', 'reload')
        return self._assembly.reload()

    def _set_speed(self, message: Mapping[str, Any]) -> object:
        self._server.require('changing the speed by the viewer', 'set_rt_factor')
        if 'times' in message:
            present = self._assembly.simulation.realtime
            factor = (present if present > 0.0 else 1.0) * float(message['times'])
        else:
            factor = float(message['factor'])
        if not math.isfinite(factor):
            raise ValueError('the factor must be finite')
        return self._server.set_realtime(factor)

    def _switch(self, message: Mapping[str, Any]) -> Future[None]:
        if self._assembly.parts.protected:
            raise SimulationError('plugins cannot be switched in eval_mode')
        plugins = {each.name: each for each in self._assembly.host.plugins}
        name = str(message['plugin'])
        if name not in plugins:
            raise SimulationError(unknown('plugin', name, plugins))
        return switch(plugins[name], str(message['switch']), bool(message['on']))

    def _tell(self, name: str, done: Future[object]) -> None:
        if done.cancelled():
            return self._answer(f'{name}: cancelled')
        error = done.exception()
        said = done.result() if error is None else None
        more = '; '.join(said) if isinstance(said, list) else ''
        self._answer(f'{name}: {_reason(error) if error else more or "done"}')
        return None

    def _answer(self, text: str) -> None:
        line = self._throttle.line(f'viewer: {text}', text.partition(':')[0], subject_of(text))
        if line is not None:
            _log.info('%s', line)
        self.answers = (*self.answers[1 - _MOST_ANSWERS :], text)


def _reason(error: BaseException) -> str:
    return str(error) if isinstance(error, MujocoRosError) else summary(error)
