"""The ROS node behind the client commands; waits for names and types on the ROS graph."""

from __future__ import annotations

import time
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, Literal, TypeVar

import rclpy
from rclpy.action import get_action_names_and_types
from rclpy.signals import SignalHandlerOptions

from ...config.wording import listed
from ...errors import ConfigError, NoAnswerError
from ..fast_dds import remove_half_made_ports
from ..message_values import interface
from ..node_end import end_node
from ..rclpy_internals import refusal, refused

Kind = Literal['service', 'topic', 'action']
_POLL_S = 0.05
_SETTLED_S = 5.0
"""If no new name appears for this many seconds, the discovery of a node counts as complete. The
middleware may take three seconds to resend lost discovery data."""
_AGAIN_S = 2.0
"""After this many seconds without a response, `call` repeats a request."""
_OF_EVERY_NODE = (
    'describe_parameters', 'get_parameter_types', 'get_parameters', 'get_type_description',
    'list_parameters', 'parameter_events', 'set_parameters', 'set_parameters_atomically',
)  # fmt: skip
"""The base names of the services and topics that every node offers."""

Found = TypeVar('Found')


class Client:
    """A client of a server, shut down at the end of a `with` block.

    Callers pass only names and values. The client looks up the types on the ROS graph.
    """

    def __init__(self, server: str, timeout_s: float, ros_arguments: list[str]) -> None:
        """Creates the node. Raises ConfigError for invalid ROS arguments."""
        self.server = f'/{server.strip("/")}'
        self.timeout_s = timeout_s
        try:
            # Without rclpy's signal handler, which would shut down the context, Ctrl-C only raises
            # KeyboardInterrupt, and the command can still use the node.
            remove_half_made_ports()
            rclpy.init(args=ros_arguments, signal_handler_options=SignalHandlerOptions.NO)
            self.node = rclpy.create_node(
                'mujoco_ros_py_client', enable_rosout=False, start_parameter_services=False
            )
        except Exception as error:  # rclpy raises many types for bad arguments
            rclpy.try_shutdown()
            text = ' '.join(str(error).split())
            raise ConfigError(f'the ROS arguments cannot be used: {text}') from error

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        """Destroys the node. Raises NoAnswerError if ROS refused to create an entity."""
        end_node(self.node)
        rclpy.try_shutdown()
        if isinstance(error, refusal()):
            raise NoAnswerError(refused(error)) from error

    def full_name(self, name: str) -> str:
        """Returns the full name; a name without a leading slash is below the server's name."""
        return name if name.startswith('/') else f'{self.server}/{name.removeprefix("~/")}'

    def offered(self, kind: Kind) -> dict[str, list[str]]:
        """Returns the discovered services, topics or actions, with their types."""
        found: Any
        if kind == 'service':
            found = self.node.get_service_names_and_types()
        elif kind == 'topic':
            found = self.node.get_topic_names_and_types()
        else:
            found = get_action_names_and_types(self.node)
        return dict(found)

    def type_of(self, kind: Kind, name: str) -> Any:
        """Waits until a node offers the full name `name`, and returns the class of its type.

        Raises NoAnswerError after the timeout. For a name below the server's name, it is raised as
        soon as the discovery of the server is complete.
        """
        below = f'{self.server}/'
        told, since = 0, time.monotonic()

        def look() -> list[str] | None:
            nonlocal told, since
            names = self.offered(kind)
            if name in names:
                return names[name]
            own = [each for each in names if each.startswith(below)]
            if len(own) != told:
                told, since = len(own), time.monotonic()
            settled = time.monotonic() > since + _SETTLED_S
            if settled and name.startswith(below) and self._is_server_known():
                raise NoAnswerError(self._unknown(kind, name))
            return None

        try:
            found = self.wait(look)
        except TimeoutError:
            raise NoAnswerError(self._unknown(kind, name)) from None
        return interface(found[0])

    def wait(self, look: Callable[[], Found | None]) -> Found:
        """Calls `look` until it returns a value other than None, or raises TimeoutError."""
        end = time.monotonic() + self.timeout_s
        while (found := look()) is None:
            if time.monotonic() > end:
                raise TimeoutError
            rclpy.spin_once(self.node, timeout_sec=_POLL_S)
        return found

    def listen(self, seconds: float) -> None:
        """Receives messages for the given time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            rclpy.spin_once(self.node, timeout_sec=min(left, _POLL_S))

    def finished(self, future: Any) -> Any:
        """Waits for the result of a future, without a timeout."""
        while not future.done():
            rclpy.spin_once(self.node, timeout_sec=_POLL_S)
        return future.result()

    def result(self, future: Any, what: str) -> Any:
        """Waits for the result of a future. Raises NoAnswerError after the timeout."""
        try:
            self.wait(lambda: future.done() or None)
        except TimeoutError:
            raise NoAnswerError(f'{what} did not answer within {self.timeout_s:g} s') from None
        return future.result()

    def call(self, kind: Any, name: str, request: Any, *, again: bool = False) -> Any:
        """Calls a service and returns its response. Raises NoAnswerError after the timeout.

        With `again`, an unanswered request is repeated, because the middleware drops a response
        if the service has not discovered the client yet. The services of this package need no
        repetition: they resend their responses.
        """
        client = self.node.create_client(kind, name)
        sent: list[Any] = []
        due = 0.0

        def look() -> Any:
            nonlocal due
            if not (sent or client.service_is_ready()):
                return None
            if not sent or (again and time.monotonic() > due):
                sent.append(client.call_async(request))
                due = time.monotonic() + _AGAIN_S
            return next((each for each in sent if each.done()), None)

        try:
            return self.wait(look).result()
        except TimeoutError:
            raise NoAnswerError(f'{name} did not answer within {self.timeout_s:g} s') from None

    def _is_server_known(self) -> bool:
        """Returns whether the services on the server's node have been discovered.

        Checks for a service that every node has. Other names below the server's name may belong to
        helper nodes, such as the action node, which may be discovered much earlier.
        """
        return f'{self.server}/get_parameters' in self.offered('service')

    def _unknown(self, kind: Kind, name: str) -> str:
        """Returns a message about a name that no node offers, with suggestions."""
        names = visible(self.offered(kind))
        below = f'{self.server}/'
        own = {each.removeprefix(below) for each in names if each.startswith(below)}
        if name.startswith(below) and (own or self._is_server_known()):
            close = get_close_matches(name.removeprefix(below), own, n=1)
            hint = f' (did you mean {close[0]}?)' if close else ''
            there = f'; it has: {listed(sorted(own), 20)}' if own else ''
            return f'{self.server} has no {kind} {name.removeprefix(below)}{hint}{there}'
        text = f'no node offers the {kind} {name} within {self.timeout_s:g} s'
        ends = f'/{name.rpartition("/")[2]}'
        others = [each.removesuffix(ends) for each in names if each.endswith(ends)]
        if name.startswith(below) and others:
            return f'{text}; nodes that offer one: --node {" or ".join(sorted(others))}'
        close = get_close_matches(name, names, n=1)
        return f'{text} (did you mean {close[0]}?)' if close else text


def visible(names: dict[str, list[str]]) -> list[str]:
    """Returns the names, without those that every node has and the internals of actions."""
    shown = (name for name in names if '/_action/' not in name)
    return [name for name in shown if name.rpartition('/')[2] not in _OF_EVERY_NODE]
