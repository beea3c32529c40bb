"""The node that carries the actions of plugins, with an executor of its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cached_property, partial
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node

from ...errors import PluginError
from ..rclpy_internals import hand_over_destroy, is_made
from .callback_group import ForgettingCallbackGroup
from .plugin_callbacks import current_owner, owned_waitable

_log = logging.getLogger(__name__)
_END_S = 1.0
_LAST_RESULTS_S = 1.0
"""The time that clients of an action have to ask for and get its last results, in seconds."""


class ActionNode(Node):
    """A hidden node beside the node of the server, on whose thread actions come and go.

    rclpy's events executor, which serves everything else, may crash if an action server or an
    action client is destroyed while something comes in. Therefore actions have an executor that
    polls.
    """

    def __init__(self, beside: Node) -> None:
        super().__init__(
            name_of_actions(beside.get_name()),
            namespace=beside.get_namespace(),
            context=beside.context,
            use_global_arguments=False,  # a remapped node name is not for this node
            enable_rosout=False,
            start_parameter_services=False,
        )
        self._spinner = SingleThreadedExecutor(context=beside.context)
        self._spinner.add_node(self)
        self._closed = False
        self._coming: list[Any] = []
        """The clients that are not served yet."""
        self._thread = threading.Thread(target=self._spin, name='actions', daemon=True)
        self._thread.start()

    @cached_property
    def default_callback_group(self) -> ForgettingCallbackGroup:
        """The group of the actions."""
        return ForgettingCallbackGroup()

    def add_waitable(self, waitable: Any) -> None:
        """Adds a waitable as rclpy does; actions consist of waitables."""
        owned_waitable(waitable)
        super().add_waitable(waitable)

    def add_client(self, waitable: Any) -> None:
        """Serves a client of an action on the other node, until its plugin has been unloaded.

        Any thread may call this. Raises PluginError for an action server of a plugin, whose goals
        would be executed on the executor of the other node.
        """
        owner = current_owner()
        if owner is not None and not _is_action_client(waitable):
            raise PluginError(
                f'the executor of the server would have to run the {type(waitable).__name__} on'
                ' self.node: a plugin makes an action by self.ros.create_action_server'
            )
        owned_waitable(waitable)
        hand_over_destroy(waitable, self.soon)
        self._coming.append(waitable)
        self.soon(partial(self._take_in, waitable))
        if owner is not None:
            owner.on_end(waitable.destroy)

    def remove_client(self, waitable: Any) -> None:
        """Serves a client no more; any thread may call this, also twice."""
        if threading.current_thread() is self._thread:
            self._let_go(waitable)
        else:
            self.soon(partial(self._let_go, waitable))

    def retire(self, server: Any) -> None:
        """Destroys an action server once its clients can have asked for and read the last results.

        A client asks for a result when its goal has been accepted, and may lose what it has not
        yet read when it hears that the writer is gone. This is called on the thread of the
        actions.
        """
        self._after(_LAST_RESULTS_S, server.destroy)

    def later(self, seconds: float, function: Callable[[], Any]) -> None:
        """Calls the function after a time, on the thread of the actions."""
        self.soon(partial(self._after, seconds, function))

    def remove_waitable(self, waitable: Any) -> None:
        """Removes a waitable, unless that was done before."""
        if _is_in(self.waitables, waitable):
            super().remove_waitable(waitable)

    def soon(self, function: Callable[[], Any], after_rounds: int = 0) -> None:
        """Calls the function on the thread of the actions, after some rounds of its executor."""
        if self._closed:
            return
        if after_rounds:
            self._spinner.create_task(self.soon, function, after_rounds - 1)
        else:
            self._spinner.create_task(function)
        self.wake()

    def wake(self) -> None:
        """Wakes the executor, so that it goes on with what has waited for a future."""
        if not self._closed:
            self._spinner.wake()

    def close(self) -> None:
        """Ends the thread and destroys the node; waits up to 1 s for a callback that runs."""
        self._closed = True
        self._spinner.create_task(lambda: None)  # wakes the thread
        self._thread.join(_END_S)
        self._spinner.shutdown(timeout_sec=0.0)
        for waitable in tuple(self.waitables):
            with suppress(Exception):  # of a goal whose thread goes on
                waitable.destroy()  # the node leaves them, and others would go on seeing them
        self.destroy_node()

    def _after(self, seconds: float, function: Callable[[], Any]) -> None:
        def call() -> None:
            self.destroy_timer(timer)
            function()

        clock = Clock(clock_type=ClockType.STEADY_TIME)
        timer = self.create_timer(seconds, call, clock=clock)

    def _take_in(self, waitable: Any) -> None:
        """Adds a client as soon as it is made: its constructor gives it away half made."""
        if not _is_in(self._coming, waitable):
            return
        if is_made(waitable):
            self._coming.remove(waitable)
            super().add_waitable(waitable)
        else:
            self.soon(partial(self._take_in, waitable))

    def _let_go(self, waitable: Any) -> None:
        if _is_in(self._coming, waitable):
            self._coming.remove(waitable)
        self.remove_waitable(waitable)

    def _spin(self) -> None:
        while not self._closed:
            try:
                self._spinner.spin_once()
            except ExternalShutdownException:
                return
            except BaseException as error:  # of rclpy: a plugin's is caught before
                if not self._closed:
                    _log.error('a callback of an action raised', exc_info=error)


def name_of_actions(name: str) -> str:
    """Returns the name of the node with the actions of a node."""
    return f'_{name}_actions'


def _is_in(waitables: Iterable[Any], waitable: Any) -> bool:
    return any(each is waitable for each in waitables)


def _is_action_client(waitable: Any) -> bool:
    from rclpy.action import ActionClient  # takes long to import

    return isinstance(waitable, ActionClient)
