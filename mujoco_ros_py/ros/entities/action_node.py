"""The node that serves the actions of plugins, with its own executor."""

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
"""How long clients can still request the last results of an action, in seconds."""


class ActionNode(Node):
    """A hidden node that serves actions, and creates and destroys them on its own thread.

    rclpy's events executor, which serves everything else, may crash if an action server or client
    is destroyed while data arrive. Actions therefore have a polling executor.
    """

    def __init__(self, beside: Node) -> None:
        super().__init__(
            name_of_actions(beside.get_name()),
            namespace=beside.get_namespace(),
            context=beside.context,
            use_global_arguments=False,  # a remapped node name must not apply to this node
            enable_rosout=False,
            start_parameter_services=False,
        )
        self._spinner = SingleThreadedExecutor(context=beside.context)
        self._spinner.add_node(self)
        self._closed = False
        self._coming: list[Any] = []
        """The action clients that the executor does not serve yet."""
        self._thread = threading.Thread(target=self._spin, name='actions', daemon=True)
        self._thread.start()

    @cached_property
    def default_callback_group(self) -> ForgettingCallbackGroup:
        """The callback group of the actions."""
        return ForgettingCallbackGroup()

    def add_waitable(self, waitable: Any) -> None:
        """Adds a waitable, such as an action server; its errors are reported to its plugin."""
        owned_waitable(waitable)
        super().add_waitable(waitable)

    def add_client(self, waitable: Any) -> None:
        """Serves an action client that was created on the server's node, until its plugin ends.

        Any thread may call this. Raises PluginError if a plugin has created an action server there
        instead: the server's executor would run its goals, not a thread of the plugin.
        """
        owner = current_owner()
        if owner is not None and not _is_action_client(waitable):
            raise PluginError(
                f'a plugin must not create its {type(waitable).__name__} on self.node, because the'
                ' executor of the server would run it: use self.ros.create_action_server'
            )
        owned_waitable(waitable)
        hand_over_destroy(waitable, self.soon)
        self._coming.append(waitable)
        self.soon(partial(self._take_in, waitable))
        if owner is not None:
            owner.on_end(waitable.destroy)

    def remove_client(self, waitable: Any) -> None:
        """Stops serving an action client. Any thread may call this, even twice for a client."""
        if threading.current_thread() is self._thread:
            self._let_go(waitable)
        else:
            self.soon(partial(self._let_go, waitable))

    def retire(self, server: Any) -> None:
        """Destroys an action server after its clients have had time to fetch the last results.

        The results have already been sent, because clients request them as soon as a goal is
        accepted. But when a client discovers that the writer is gone, it may lose a result that it
        has not read yet. Called on the action thread.
        """
        self._after(_LAST_RESULTS_S, server.destroy)

    def later(self, seconds: float, function: Callable[[], Any]) -> None:
        """Calls the function on the action thread after a delay."""
        self.soon(partial(self._after, seconds, function))

    def remove_waitable(self, waitable: Any) -> None:
        """Removes a waitable, unless it was removed before."""
        if _is_in(self.waitables, waitable):
            super().remove_waitable(waitable)

    def soon(self, function: Callable[[], Any], after_rounds: int = 0) -> None:
        """Calls the function on the action thread, after `after_rounds` rounds of its executor."""
        if self._closed:
            return
        if after_rounds:
            self._spinner.create_task(self.soon, function, after_rounds - 1)
        else:
            self._spinner.create_task(function)
        self.wake()

    def wake(self) -> None:
        """Wakes the executor, which then resumes coroutines that waited for a future."""
        if not self._closed:
            self._spinner.wake()

    def close(self) -> None:
        """Ends the thread and destroys the node; waits up to 1 s for a running callback."""
        self._closed = True
        self._spinner.create_task(lambda: None)  # wakes the thread
        self._thread.join(_END_S)
        self._spinner.shutdown(timeout_sec=0.0)
        for waitable in tuple(self.waitables):
            with suppress(Exception):  # the goal's thread may still use it
                waitable.destroy()  # destroy_node skips waitables, and peers would still see them
        self.destroy_node()

    def _after(self, seconds: float, function: Callable[[], Any]) -> None:
        def call() -> None:
            self.destroy_timer(timer)
            function()

        clock = Clock(clock_type=ClockType.STEADY_TIME)
        timer = self.create_timer(seconds, call, clock=clock)

    def _take_in(self, waitable: Any) -> None:
        """Serves a client once it is complete; rclpy adds it while its constructor still runs."""
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
            except BaseException as error:  # raised by rclpy; errors of plugins are caught earlier
                if not self._closed:
                    _log.error('a callback of an action raised', exc_info=error)


def name_of_actions(name: str) -> str:
    """Returns the name of the action node that belongs to a node."""
    return f'_{name}_actions'


def _is_in(waitables: Iterable[Any], waitable: Any) -> bool:
    return any(each is waitable for each in waitables)


def _is_action_client(waitable: Any) -> bool:
    from rclpy.action import ActionClient  # slow to import

    return isinstance(waitable, ActionClient)
