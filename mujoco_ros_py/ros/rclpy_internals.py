"""All uses of rclpy beyond its documented interface.

Uses of the layers below rclpy are in `rcl_internals`. The node relies on these facts:

- A node stores its parameters by name in `_parameters`, their descriptors in `_descriptors`, and
  the parameters that it was created with in `_parameter_overrides`.
- A node calls the callbacks in its three lists `_*_set_parameters_callbacks`, which can be
  replaced. A node of Humble has one list, `_parameters_callbacks`, and sets all parameters through
  `_set_parameters_atomically`.
- A node whose `_allow_undeclared_parameters` is true accepts parameters that were not declared.
- A service has its type in `srv_type` and its name in `srv_name`. The executor looks up `callback`
  for each request, and passes its result to `send_response` with the request's header.
- `service_take_request` of a service's handle returns a request and its header, or None for both.
- The constructor of an action client first adds the client to its node, and sets `_lock` as its
  last step. Clients of Humble and Jazzy have no `_lock`; their last step sets `_logger`.
- An action client can be destroyed twice, and `destroy` can be replaced.
- An executor calls the coroutine function `execute` of a waitable, which can be replaced.
- If the middleware does not accept a response, the only sign is a RuntimeWarning that begins with
  `LOST_RESPONSE`.
- A callback group has weak references to its entities in the set `entities`, and contains an
  entity if the set has an equal reference.
- A destroyed action server passes the result of each goal to its own `remove_future`, which raises
  ValueError for an unknown result.
- An action server stores its goals by id in `_goal_handles`. Its `execute` receives a dictionary,
  which has the header and the request for a result under the key 'result'.
- A goal handle may set an empty result through `_set_result` when the goal ends, before the
  executing function has returned a result (rclpy 7.1.9 to 10).
- The result of an executed goal is sent within `ROUNDS_TO_RESULT` rounds of the executor.
- `rclpy_implementation.Subscription` creates a subscription from a node's handle. No executor
  serves it unless it is in the node's list.
- `rclpy_implementation` has the classes of the handles, with the attribute `pointer` if they
  expose their addresses.
- `rclpy.experimental` has an executor that waits for events.
- `rclpy_implementation.RCLError` is raised if the middleware refuses to create an entity.
- `rclpy_implementation.rclpy_logging_rcutils_log` writes a log entry with a given source location.
  Its severities have the numbers of Python's logging levels.
"""

from __future__ import annotations

import weakref
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from ..rcl_internals import import_type_support

if TYPE_CHECKING:
    from rclpy.node import Node
    from rclpy.parameter import Parameter
    from rclpy.service import Service

LOST_RESPONSE = 'failed to send response'
"""The beginning of the warning for a response that the middleware did not accept."""
ROUNDS_TO_RESULT = 5
"""The number of executor rounds until the result of a goal has passed through all its tasks."""
_HUMBLE = '_parameters_callbacks'
"""The list of parameter callbacks that only nodes of Humble have."""
Execute = Callable[[Any], Awaitable[Any]]
"""The coroutine function of a waitable; it receives the data that were taken."""


def parameters_on(node: Node) -> dict[str, Parameter]:
    """Returns a copy of the node's parameters by name, in the order of declaration.

    The copy is atomic, so other threads can declare parameters at the same time. The public method
    `get_parameters_by_prefix` would fail then, because it iterates over the parameters.
    """
    return dict(node._parameters)


def parameter_overrides(node: Node) -> Mapping[str, Parameter]:
    """Returns the parameters that the node was created with, by name, declared or not."""
    return dict(node._parameter_overrides)


def add_read_only(node: Node, parameter: Parameter, description: str) -> None:
    """Adds a parameter that nobody can set, without calling parameter callbacks.

    Callbacks could refuse it, and calling them takes a millisecond for each parameter.
    """
    from rcl_interfaces.msg import ParameterDescriptor

    name, kind = parameter.name, parameter.type_.value
    node._descriptors[name] = ParameterDescriptor(
        name=name, type=kind, description=description, read_only=True
    )
    node._parameters[name] = parameter


def remove_parameter(node: Node, name: str) -> None:
    """Removes a parameter, even a read-only one, which `undeclare_parameter` would keep."""
    node._parameters.pop(name, None)
    node._descriptors.pop(name, None)


def remove_parameter_callback(node: Node, callback: Any) -> None:
    """Removes a parameter callback (pre-set, on-set or post-set) from the node.

    This function replaces the lists. The public methods shorten them: a parameter change that
    iterates over a list at the same time, on any thread, would skip another callback.
    """
    names = [f'_{kind}_set_parameters_callbacks' for kind in ('pre', 'on', 'post')]
    for name in (*names, _HUMBLE):
        if hasattr(node, name):
            setattr(node, name, [each for each in getattr(node, name) if each is not callback])


def give_post_set_callbacks(node: Node) -> None:
    """Makes a node of Humble call `_post_set_parameters_callbacks`, as later nodes do.

    Call it once, before setting a parameter whose changes these callbacks must see.
    """
    if not hasattr(node, _HUMBLE):
        return
    node._post_set_parameters_callbacks = []
    set_all = node._set_parameters_atomically

    def set_and_tell(parameters: Any, *more: Any, **options: Any) -> Any:
        result = set_all(parameters, *more, **options)
        for callback in node._post_set_parameters_callbacks if result.successful else ():
            callback(parameters)
        return result

    node._set_parameters_atomically = set_and_tell


@contextmanager
def undeclared_parameters_allowed(node: Node) -> Iterator[None]:
    """Makes the node accept undeclared parameters inside the context.

    If one of several parameters set together is refused, all of them stay undeclared.
    """
    node._allow_undeclared_parameters = True
    try:
        yield
    finally:
        node._allow_undeclared_parameters = False


def replace_callback(service: Service, callback: Callable[[Any, Any], Any]) -> None:
    """Replaces the callback of a service."""
    service.callback = callback


def send_function(service: Service) -> Callable[[Any, Any], Any]:
    """Returns the method `send(response, header)`, which answers the request with this header."""
    send: Callable[[Any, Any], Any] = service.send_response
    return send


def replace_send(service: Service, send: Callable[[Any, Any], Any]) -> None:
    """Makes the executor pass the service's responses to `send(response, header)`."""
    service.send_response = send


def answer_next(service: Service) -> bool:
    """Answers the oldest waiting request, as an executor would; returns False without a request.

    Raises whatever the callback of the service raises, and rclpy's InvalidHandle if the service is
    destroyed.
    """
    with service.handle:
        request, header = service.handle.service_take_request(service.srv_type.Request)
    if header is None:
        return False
    response = service.callback(request, service.srv_type.Response())
    service.send_response(response, header)
    return True


def replace_execute(waitable: Any, wrap: Callable[[Execute], Execute]) -> None:
    """Makes the executor call `wrap(execute)` instead of the waitable's `execute`."""
    waitable.execute = wrap(waitable.execute)


def is_made(client: Any) -> bool:
    """Returns whether the constructor of an action client has finished, so it can be served."""
    names = type(client).__init__.__code__.co_names
    return hasattr(client, '_lock' if '_lock' in names else '_logger')


def hand_over_destroy(client: Any, call: Callable[[Callable[[], Any]], Any]) -> None:
    """Makes `client.destroy()` call `call(destroy)`; `destroy()` destroys the action client."""
    kind, itself = type(client), weakref.ref(client)  # weak, or the client would keep itself alive
    client.destroy = lambda: call(partial(kind.destroy, itself()))


def add_until_destroyed(group: Any, entity: Any) -> None:
    """Adds an entity to a callback group; the group drops it when its last reference is gone."""
    group.entities.add(weakref.ref(entity, group.entities.discard))


def await_result(goal: Any) -> None:
    """Makes a goal handle ignore all results except the result of the executing function."""
    if set_result := getattr(goal, '_set_result', None):
        goal._set_result = lambda result: None if result is None else set_result(result)


def event_handlers() -> type[Any]:
    """Returns the class that calls the functions for topic events."""
    try:
        from rclpy import event_handler
    except ImportError:
        from rclpy import qos_event

        humble: type[Any] = qos_event.QoSEventHandler
        return humble
    newer: type[Any] = event_handler.EventHandler
    return newer


@cache
def plugin_action_server() -> type[Any]:
    """Returns the class of action servers that send their last results before their destruction.

    Importing rclpy's actions is slow, so they are imported only when the first action is created.
    """
    from rclpy.action import ActionServer

    class PluginActionServer(ActionServer):  # not generic in Jazzy
        def remove_future(self, future: Any) -> None:
            """Removes a goal's result; goals that do not run yet have no result in rclpy."""
            with suppress(ValueError):
                super().remove_future(future)

        async def execute_last(self, taken: dict[str, Any]) -> None:
            """Answers a request for the result of a goal, and nothing else.

            The executor calls this instead of `execute` after the plugin has ended. The next
            action server handles everything that concerns other goals.
            """
            _, request = taken.get('result', (None, None))
            if request is not None and bytes(request.goal_id.uuid) in self._goal_handles:
                await super().execute({'result': taken['result']})

    return PluginActionServer


def new_executor(context: Any = None) -> Any:
    """Returns an executor that waits for events, or a polling one if rclpy has no other.

    An executor that waits for events answers a request in half the time. `context` is the context
    of its nodes; None for rclpy's default context.
    """
    try:
        from rclpy.experimental.events_executor import EventsExecutor
    except ImportError:
        from rclpy.executors import SingleThreadedExecutor

        return SingleThreadedExecutor(context=context)
    return EventsExecutor(context=context)


def write_log(logger: Any, severity: int, text: str, place: tuple[str, str, int]) -> None:
    """Writes an entry to a ROS logger, unless the logger drops entries of this severity.

    `place` is the function, the file and the line of the entry. The logger's public methods look
    for the place themselves: the first call resolves the path of every imported module, which
    takes tens of milliseconds under the GIL.
    """
    if logger.is_enabled_for(severity):
        _implementation().rclpy_logging_rcutils_log(severity, logger.name, text, *place)


def refusal() -> type[Exception]:
    """Returns the error class for entities that the middleware refuses to create."""
    kind: type[Exception] = _implementation().RCLError
    return kind


def refused(error: BaseException) -> str:
    """Returns a one-line message for a `refusal`."""
    return f'ROS refuses a topic or a service: {" ".join(str(error).split())}'


def has_handles() -> bool:
    """Returns whether publishers and subscriptions expose the addresses of their handles."""
    implementation = _implementation()
    return hasattr(implementation.Publisher, 'pointer') and hasattr(
        implementation.Subscription, 'pointer'
    )


def silent_subscription(node: Node, kind: type[Any], topic: str, qos: Any) -> Any:
    """Creates a subscription to take messages from, which no executor serves; returns its handle.

    The handle's `destroy_when_not_in_use` destroys it.
    """
    import_type_support(kind)
    with node.handle:
        return _implementation().Subscription(node.handle, kind, topic, qos.get_c_qos_profile())


def _implementation() -> Any:
    from rclpy.impl.implementation_singleton import rclpy_implementation

    return rclpy_implementation
