"""mujoco_ros_py/EmergencyStop: a service that stops and releases all controllers."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

import mujoco

from ...config import listed
from ...plugins import Adaptable, Commandable, MujocoPlugin, Savable, new_state, ros_type
from ...plugins.topic_qos import LATCHED
from ...simulation import given_name
from .drive.claims import Claims

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class EmergencyStopConfig:
    """The configuration of the EmergencyStop plugin."""

    in_eval_mode: bool = False
    """Offer the service in eval_mode too, although every client can then stop all joints."""


class EmergencyStop(MujocoPlugin[EmergencyStopConfig], Adaptable, Savable, Commandable):
    """Stops every stoppable plugin: joints hold their positions, and commands are dropped.

    Only the service, `set_stopped` and a reload end a stop. A stop outlasts a reset, a restored
    state and a changed model. Restoring a state that was saved during a stop starts it again.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Offers the service and creates the publisher, if ROS is available."""
        self.state = new_state(stopped=False)
        self._actuators = _actuators(model, self.environment.prefix)
        self._offer()

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Adapts to another model; a stop stays active and also stops new plugins."""
        self._actuators = _actuators(model, self.environment.prefix)
        if self._stopped:
            self.environment.submit(self._stop_new)

    def set_stopped(self, stopped: bool) -> Future[list[str]]:
        """Stops or releases all plugins; the future returns the names of the affected plugins.

        Any thread can call this, but the physics thread must not wait for the future.
        """
        answer: Future[list[str]] = Future()  # done only after `state.stopped` has been updated

        def note(done: Future[list[str]]) -> None:
            if done.cancelled():
                answer.cancel()
            elif error := done.exception():
                answer.set_exception(error)
            else:
                try:
                    self._note(done.result(), stopped)
                finally:
                    answer.set_result(done.result())

        self.environment.emergency_stop(stopped).add_done_callback(note)
        return answer

    def take_command(self, model: mujoco.MjModel, now: mujoco.MjData, /, *, data: bool) -> None:
        """Stops or releases all controllers, like the service."""
        self.set_stopped(data)

    @property
    def unclaimed(self) -> list[str]:
        """The actuators that no ready plugin has claimed; a stop leaves them as they are."""
        plugins = list(self.environment.plugins.values())
        claims = (getattr(plugin, 'claims', None) for plugin in plugins)
        taken = {name for each in claims if isinstance(each, Claims) for name in each.actuators}
        return [name for name in self._actuators if name not in taken]

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Ends a stop after a reload, even if the plugins stayed loaded, and publishes its end."""
        self.state.stopped = False
        self._publish()

    def restore(self, saved: Any) -> None:
        """Keeps an active stop; starts a stop if the state was saved during a stop."""
        stopped = self._stopped
        super().restore(saved)
        if stopped or self._stopped:
            self.set_stopped(True)
        self._publish()

    @property
    def _stopped(self) -> bool:
        return bool(self.state.stopped)

    def _stop_new(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Stops the plugins that a new model added, unless a reload has ended the stop."""
        if self._stopped:
            self.environment.emergency_stop(True)

    def _offer(self) -> None:
        self._message = ros_type('std_msgs/msg/Bool')
        self._publisher = self.ros.create_publisher(self._message, '~/active', LATCHED)
        if self.environment.protected and not self.config.in_eval_mode:
            _log.info('%s: the service is not offered in eval_mode', self.name)
        else:
            self.ros.create_service(ros_type('std_srvs/srv/SetBool'), '~/set', self._set)

    def _set(self, request: Any, response: Any) -> Future[Any]:
        """Handles a service request; the answer follows once all plugins are notified."""
        answer: Future[Any] = Future()
        word = 'stopped' if request.data else 'released'
        before = dict(self.environment.plugins)

        def tell(done: Future[list[str]]) -> None:
            if error := done.exception():
                response.success, response.message = False, str(error)
            else:
                names = done.result()
                failed = before.keys() - self.environment.plugins
                response.success = bool(names) and not failed
                response.message = f'{word} {listed(names)}' if names else _NOTHING
                if failed:
                    response.message += f'; {listed(sorted(failed))} failed'
                if request.data and (free := self.unclaimed):
                    response.message += f'; {_beyond(free)}'
            answer.set_result(response)

        self.set_stopped(request.data).add_done_callback(tell)
        return answer

    def _note(self, names: list[str], stopped: bool) -> None:
        """Stores and publishes whether the stop is active; called on the physics thread."""
        self.state.stopped = stopped
        _log.warning(
            '%s: %s %s',
            self.name,
            'stopped' if stopped else 'released',
            listed(names) or 'nothing',
        )
        self._publish()

    def _publish(self) -> None:
        self._publisher.publish(self._message(data=self._stopped))


_NOTHING = 'no ready plugin drives anything that can be stopped'


def _actuators(model: mujoco.MjModel, prefix: str) -> list[str]:
    """Returns the names of the actuators that start with the robot's prefix."""
    kind, count = mujoco.mjtObj.mjOBJ_ACTUATOR, len(model.actuator_trntype)
    names = (given_name(model, kind, each) for each in range(count))
    return [name for name in names if name and name.startswith(prefix)]


def _beyond(free: list[str]) -> str:
    """Returns the message about actuators that no plugin has claimed."""
    if free[1:]:
        return f'actuators {listed(free)} belong to no plugin and keep their controls'
    return f'actuator {free[0]} belongs to no plugin and keeps its control'
